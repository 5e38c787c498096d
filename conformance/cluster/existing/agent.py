"""What the suite does on a node of somebody's cluster: one file, of the standard library only.

The harness sends its text to a `python3` in a privileged pod on the node and talks to it over standard input and output
in frames: number of the stream, kind, length, payload. A CALL has an operation and its arguments as JSON and gets an
ANSWER; a stream that is OPENed on a unix socket of the node is a connection to it. Works with Python 3.10 and newer.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from typing import Any

CALL, ANSWER, OPEN, OPENED, REFUSED, DATA, END, TICK = range(1, 9)
HEADER = struct.Struct(">IBI")
CHUNK = 65536
TICKS = 1.0  # seconds between signs of life, for the pod and for whatever stands between it and the harness
_SEND_WITHIN = 10.0
_LOG_BYTES = 65536
_ERROR = 500  # characters
_COMMAND_WITHIN = 60
_BINDS = ("/proc", "/sys", "/dev/pts", "/dev/mqueue", "/dev/shm")
_DEVICES = {"full", "null", "ptmx", "random", "tty", "urandom", "zero", "console"}
_CONTAINER = re.compile(r"[0-9a-f]{64}")


def pack(stream: int, kind: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return HEADER.pack(stream, kind, len(payload)) + payload


class Frames:
    """Puts frames together from whatever pieces they come in."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[tuple[int, int, bytes]]:
        """(stream, kind, payload) of each frame that is complete now."""
        self._rest += data
        found = []
        while len(self._rest) >= HEADER.size:
            stream, kind, length = HEADER.unpack_from(self._rest)
            end = HEADER.size + length
            if len(self._rest) < end:
                break
            found.append((stream, kind, self._rest[HEADER.size : end]))
            self._rest = self._rest[end:]
        return found


def folder(path: str, known: dict[str, list[int]]) -> dict[str, Any] | None:
    """Files of a folder by name, None when there is no such folder; one whose stamp is known comes without its data."""
    try:
        names = sorted(os.listdir(path))
    except FileNotFoundError:
        return None
    found = {}
    for name in names:
        try:
            found[name] = _entry(os.path.join(path, name), known.get(name))
        except FileNotFoundError:
            continue  # removed meanwhile, or a link that leads nowhere
    return found


def _entry(path: str, known: list[int] | None) -> dict[str, Any]:
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        return {"kind": "link" if os.path.islink(path) else "folder" if os.path.isdir(path) else "other"}
    stamp = [status.st_ino, status.st_mtime_ns, status.st_size]
    if stamp == known:
        return {"kind": "file", "stamp": stamp}
    with open(path, "rb") as file:
        return {"kind": "file", "stamp": stamp, "data": base64.b64encode(file.read()).decode()}


def sockets(path: str) -> dict[str, list[int]]:
    """Unix sockets below a folder, relative to it, each with a stamp that a new one of the same name does not have."""
    found = {}
    for place, _, names in os.walk(path):
        for name in names:
            full = os.path.join(place, name)
            try:
                status = os.lstat(full)
                if stat.S_ISSOCK(status.st_mode):
                    found[os.path.relpath(full, path)] = [status.st_ino, status.st_mtime_ns]
            except FileNotFoundError:
                continue
    return found


def process(pid: int) -> dict[str, Any] | None:
    """When a process was started, which container it is in, whether it runs; None when there is none."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/cgroup") as file:
            ids = _CONTAINER.findall(max(file, key=len, default=""))  # the longest path leads deepest
    except OSError:
        return None
    return {"pid": pid, "started": int(fields[19]), "container": ids[-1] if ids else "", "alive": fields[0] not in "ZX"}


def first_process(container: str) -> dict[str, Any] | None:
    """The first process of a container as `process` tells it, None when none runs.

    It is number 1 in there, or where the container sees the host's processes, the one that was started first.
    """
    seen = [process(int(entry)) for entry in os.listdir("/proc") if entry.isdigit()]
    inside = [row for row in seen if row and row["alive"] and row["container"] == container]
    return min(inside, key=lambda row: (_number_inside(row["pid"]) != 1, row["started"]), default=None)


def _number_inside(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/status", errors="replace") as file:
            rows = [line for line in file if line.startswith("NSpid:")]
    except OSError:
        return 0
    return int(rows[0].split()[-1]) if rows else 0


def look(pid: int) -> dict[str, Any]:
    """Environment, device nodes and mount points of a process, without devices and mounts that every container has."""
    with open(f"/proc/{pid}/environ", "rb") as file:
        rows = file.read().decode(errors="replace").split("\0")
    with open(f"/proc/{pid}/mountinfo") as file:
        points = {line.split(" ")[4] for line in file}
    return {
        "env": dict(row.split("=", 1) for row in rows if "=" in row),
        "devices": _devices(f"/proc/{pid}/root/dev"),
        "mounts": sorted(p for p in points if p not in ("/", "/dev") and not p.startswith(_BINDS)),
    }


def _devices(root: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for place, _, names in os.walk(root):
        for name in names:
            path = os.path.join(place, name)
            status, inside = os.lstat(path), os.path.relpath(path, root)
            kind = "c" if stat.S_ISCHR(status.st_mode) else "b" if stat.S_ISBLK(status.st_mode) else ""
            if kind and inside not in _DEVICES and not inside.startswith("pts/"):
                numbers = {"major": os.major(status.st_rdev), "minor": os.minor(status.st_rdev)}
                found.append({"path": f"/dev/{inside}", "type": kind, **numbers})
    return sorted(found, key=lambda device: device["path"])


def kill(pid: int, started: int, number: int) -> bool:
    """Send a signal to the process that was started then; whether it was there."""
    seen = process(pid)
    if not seen or seen["started"] != started or not seen["alive"]:
        return False
    os.kill(pid, number)
    return True


def tail(path: str) -> str:
    """The ends of the log files in a folder, oldest file first."""
    try:
        names = [name for name in os.listdir(path) if re.fullmatch(r"\d+\.log", name)]
    except FileNotFoundError:
        return ""
    texts = []
    for name in sorted(names, key=lambda name: int(name[:-4])):
        with open(os.path.join(path, name), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOG_BYTES))
            texts.append(file.read().decode(errors="replace"))
    return "".join(texts)


def run(argv: list[str]) -> dict[str, Any] | None:
    """Status and output of a command of the node; None when the node has none of that name."""
    env = dict(os.environ, PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin")
    env["SYSTEMD_IGNORE_CHROOT"] = "1"  # systemctl does nothing in what it takes for a chroot
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, env=env, timeout=_COMMAND_WITHIN)
    except FileNotFoundError:
        return None
    return {
        "status": done.returncode,
        "out": done.stdout.decode(errors="replace"),
        "err": done.stderr.decode(errors="replace"),
    }


OPERATIONS = {f.__name__: f for f in (folder, sockets, process, first_process, look, kill, tail, run)}


class Agent:
    """Serves one harness until its input ends."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._lock = threading.Lock()
        self._streams: dict[int, socket.socket] = {}

    def serve(self, alive: int | None = None) -> None:
        """Serve; `alive` is the descriptor of a file that is touched as long as this goes on."""
        _thread(self._tick, alive)
        frames = Frames()
        while True:
            data = os.read(self._source, CHUNK)
            if not data:
                return
            for stream, kind, payload in frames.feed(data):
                self._take(stream, kind, payload)

    def _take(self, stream: int, kind: int, payload: bytes) -> None:
        if kind == CALL:
            _thread(self._call, stream, payload)
        elif kind == OPEN:
            _thread(self._open, stream, payload.decode())
        elif kind == DATA and stream in self._streams:
            try:
                self._streams[stream].sendall(payload)
            except OSError:
                self._close(stream)
        elif kind == END:
            self._close(stream)

    def _call(self, stream: int, payload: bytes) -> None:
        try:
            asked = json.loads(payload)
            answer = {"value": OPERATIONS[asked["operation"]](**asked["arguments"])}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:_ERROR]}
        self._send(stream, ANSWER, json.dumps(answer).encode())

    def _open(self, stream: int, path: str) -> None:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(_SEND_WITHIN)
        try:
            place, name = os.path.split(path)
            handle = os.open(place, os.O_PATH | os.O_DIRECTORY)
            try:  # a path of a unix socket ends at 107 bytes
                connection.connect(f"/proc/self/fd/{handle}/{name}")
            finally:
                os.close(handle)
        except OSError as error:
            connection.close()
            self._send(stream, REFUSED, str(error).encode())
            return
        pid = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        self._streams[stream] = connection
        self._send(stream, OPENED, str(pid).encode())
        _thread(self._read, stream, connection)

    def _read(self, stream: int, connection: socket.socket) -> None:
        while True:
            try:
                data = connection.recv(CHUNK)
            except TimeoutError:
                continue
            except OSError:
                data = b""
            if not data:
                break
            self._send(stream, DATA, data)
        self._send(stream, END)
        self._close(stream)

    def _close(self, stream: int) -> None:
        connection = self._streams.pop(stream, None)
        if connection:
            with contextlib.suppress(OSError):  # the other side was first
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _tick(self, alive: int | None) -> None:
        while True:
            if alive is not None:
                os.utime(alive)
            self._send(0, TICK)
            time.sleep(TICKS)

    def _send(self, stream: int, kind: int, payload: bytes = b"") -> None:
        data = pack(stream, kind, payload)
        with self._lock:
            while data:
                data = data[os.write(self._sink, data) :]


def _thread(target: Any, *arguments: Any) -> None:
    threading.Thread(target=target, args=arguments, daemon=True).start()


def main(root: str, alive: str) -> None:
    """Serve on standard input and output, with `root` as the root of the file system where one is given."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    handle = os.open(alive, os.O_RDWR | os.O_CREAT, 0o600) if alive else None
    if root:
        os.chroot(root)
        os.chdir("/")
    Agent(0, 1).serve(handle)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:3])
