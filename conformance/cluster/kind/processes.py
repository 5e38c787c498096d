"""Processes in containers, as the host sees them through /proc."""

import contextlib
import errno
import os
import select
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from conformance.verdict import Inconclusive

_PROC = Path("/proc")
_BINDS = ("/proc", "/sys", "/dev/pts", "/dev/mqueue", "/dev/shm")
_DEVICES = {"full", "null", "ptmx", "random", "tty", "urandom", "zero", "console"}


class HostProcess:
    """The first process of a container, held by a descriptor so that its number cannot come to mean another."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self._handle = os.pidfd_open(pid)
        except OSError as error:
            raise Inconclusive(f"process {pid} of the node is gone: {error.strerror}") from None
        self._ended = False

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return not self.wait(0)

    def wait(self, timeout: float) -> bool:
        """Wait until it has ended, at most `timeout` seconds; whether it has."""
        if not self._ended:
            poll = select.poll()
            poll.register(self._handle, select.POLLIN)
            self._ended = bool(poll.poll(timeout * 1000))
            if self._ended:
                os.close(self._handle)
        return self._ended

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal; nothing happens when it has ended."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)


def first_process(container_id: str) -> int:
    """The host's number of a container's first process, 0 when none runs."""
    found = [pid for pid in _pids() if _is_first_of(pid, container_id)]
    return min(found, default=0)


def environment(pid: int) -> dict[str, str]:
    """The environment that a process was started with."""
    rows = (_PROC / str(pid) / "environ").read_bytes().decode(errors="replace").split("\0")
    return dict(row.split("=", 1) for row in rows if "=" in row)


def devices(pid: int) -> list[dict[str, object]]:
    """Device nodes under /dev that a process sees, beside those that every container has."""
    root = _PROC / str(pid) / "root" / "dev"
    found: list[dict[str, object]] = []
    for path in sorted(root.rglob("*")):
        name, status = path.relative_to(root).as_posix(), path.lstat()
        kind = "c" if stat.S_ISCHR(status.st_mode) else "b" if stat.S_ISBLK(status.st_mode) else ""
        if kind and name not in _DEVICES and not name.startswith("pts/"):
            numbers = {"major": os.major(status.st_rdev), "minor": os.minor(status.st_rdev)}
            found.append({"path": f"/dev/{name}", "type": kind, **numbers})
    return found


def bound_names(pid: int) -> set[str]:
    """Names, without folders, of the unix sockets that are bound in a process's network (proc_pid_net(5), unix)."""
    try:
        rows = (_PROC / str(pid) / "net" / "unix").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    except OSError:
        return set()
    return {Path(fields[7]).name for row in rows if len(fields := row.split(maxsplit=7)) == 8}


def refuses(path: Path) -> bool:
    """Whether nobody listens on a unix socket, whatever the length of its path."""
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(f"/proc/self/fd/{folder}/{path.name}") == errno.ECONNREFUSED
    finally:
        os.close(folder)


def mount_points(pid: int) -> list[str]:
    """Paths that something is mounted at, beside what every container has, sorted."""
    rows = (_PROC / str(pid) / "mountinfo").read_text(encoding="utf-8").splitlines()
    points = {row.split(" ")[4] for row in rows}
    return sorted(point for point in points if point != "/" and point != "/dev" and not point.startswith(_BINDS))


def _pids() -> Iterator[int]:
    return (int(entry) for entry in os.listdir(_PROC) if entry.isdigit())


def _is_first_of(pid: int, container_id: str) -> bool:
    try:
        if container_id not in (_PROC / str(pid) / "cgroup").read_text(encoding="utf-8"):
            return False
        status = (_PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    row = next((line for line in status.splitlines() if line.startswith("NSpid:")), "")
    return row.split()[-1:] == ["1"]
