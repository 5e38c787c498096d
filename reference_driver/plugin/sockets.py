"""Unix sockets: their names, which are unique to an instance when two may run at once, and a gRPC server on one."""

import base64
import hashlib
import os
from pathlib import Path

from .errors import PluginError
from .rpc import Server, Workers

MAX_PATH = 107  # bytes: sun_path holds 108, the last of them 0


def registration_socket(folder: Path, driver: str, pod_uid: str) -> Path:
    """Where the kubelet finds a plugin; with a pod UID, the name is the instance's own, for a rolling update.

    The same choice as in Kubernetes' helper (kubeletplugin.RollingUpdateRegistrarSocketFile): the first that fits.
    """
    if not pod_uid:
        return _fitting(folder / f"{driver}-reg.sock")
    names = (
        f"{driver}-{pod_uid}-reg.sock",
        f"{driver}-{_short(pod_uid, 8)}-reg.sock",
        f"dra-{_short(driver + chr(0) + pod_uid, 16)}-reg.sock",
    )
    fitting = [folder / name for name in names if len(os.fsencode(folder / name)) <= MAX_PATH]
    return fitting[0] if fitting else _fitting(folder / names[-1])


def dra_socket(folder: Path, pod_uid: str) -> Path:
    """Where the DRA services are, in the driver's own folder."""
    return _fitting(folder / (f"dra-{pod_uid}.sock" if pod_uid else "dra.sock"))


def _short(text: str, size: int) -> str:
    digest = hashlib.sha256(text.encode()).digest()[:size]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _fitting(path: Path) -> Path:
    if len(os.fsencode(path)) > MAX_PATH:
        raise PluginError(f"socket path {path} is longer than {MAX_PATH} bytes: use a shorter folder")
    return path


class SocketServer:
    """A gRPC server on one unix socket; add services to `grpc` before `start`."""

    def __init__(self, path: Path, workers: int) -> None:
        self.path = path
        self._listens = False
        self._file: tuple[int, int, int] | None = None
        self.grpc = Server(Workers(workers, path.name))

    def start(self) -> None:
        """Listen. A socket of this name is left from an instance that was killed, and removed. Raises PluginError."""
        try:
            self.remove_stale()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.grpc.add_insecure_port(f"unix:{self.path}")
        except OSError as error:
            raise PluginError(f"cannot listen on {self.path}: {error}") from error
        self._listens = True
        self._file = _identity(self.path)
        self.grpc.start()

    def is_ours(self) -> bool:
        """Whether the socket's file is the one that was made at the start."""
        return self._file is not None and _identity(self.path) == self._file

    def remove_stale(self) -> None:
        """Remove the file of the own name; a socket of another name may belong to somebody who is alive."""
        self.path.unlink(missing_ok=True)

    def stop(self, grace: float = 0) -> None:
        """Let calls finish for `grace` seconds, then end them; the socket is removed."""
        if self._listens:
            self.grpc.stop(grace).wait()
            self.path.unlink(missing_ok=True)


def _identity(path: Path) -> tuple[int, int, int] | None:
    """What tells a file from another one of its name; the number of one that is gone may be given out again at once."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns
