"""Where what is kept about a cluster lies: a private folder of its own, locked by the process that sees to it."""

import contextlib
import fcntl
import os
import re
import shutil
import struct
from collections.abc import Sequence
from pathlib import Path

from conformance.verdict import Inconclusive

LOGS = "logs"
_LOCK = "lock"
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?")
_FLOCK = "@hhqqi"  # struct flock: l_type, l_whence, l_start, l_len, l_pid


class InUse(Exception):
    """Another process sees to that cluster."""


class BadName(ValueError):
    """A name that a cluster cannot have."""


def home() -> Path:
    """The folder that holds the folders of all kept clusters of this user.

    It outlives a session, other than XDG_RUNTIME_DIR, as the clusters do.
    """
    base = os.environ.get("XDG_STATE_HOME", "")
    state = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state"
    return state / "dra-conformance" / "up"


def names() -> Sequence[str]:
    """Names that have a folder, sorted."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return sorted(path.name for path in home().iterdir() if path.is_dir() and _NAME.fullmatch(path.name))
    return []


def folder_of(name: str) -> Path:
    """The folder of a cluster, which may not be there. Raises BadName."""
    if not _NAME.fullmatch(name):
        raise BadName(f"--name={name} is no name: give up to 30 of a-z, 0-9 and -, such as dev")
    return home() / name


def holder(name: str) -> int:
    """Process id of who sees to a cluster, 0 when nobody does. Looking disturbs nobody."""
    try:
        lock = os.open(folder_of(name) / _LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return 0
    try:
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        kind, _, _, _, pid = struct.unpack(_FLOCK, fcntl.fcntl(lock, fcntl.F_GETLK, asked))
    finally:
        os.close(lock)
    return 0 if kind == fcntl.F_UNLCK else int(pid)


class Place:
    """The folder of a cluster, ours until `let_go` or `clear`, or until this process ends."""

    def __init__(self, name: str, path: Path, lock: int) -> None:
        self.name = name
        self.path = path
        self._lock = lock

    @classmethod
    def take(cls, name: str) -> "Place":
        """Make it ours, made if it is not there. Raises BadName, InUse, Inconclusive."""
        path = folder_of(name)
        try:
            home().mkdir(mode=0o700, parents=True, exist_ok=True)
            home().chmod(0o700)
            while True:
                lock = _locked(path)
                if lock >= 0:
                    return cls(name, path, lock)
        except BlockingIOError:
            raise InUse(
                f"cluster {name} is there, process {holder(name)} sees to it: end it with dra-conformance down "
                f"--name={name}, or give another --name"
            ) from None
        except OSError as error:
            raise Inconclusive(
                f"{error.filename or path} cannot be used: {error.strerror}; set XDG_STATE_HOME to a folder that can"
            ) from None

    def let_go(self) -> None:
        """It is no longer ours; it stays as it is. May be called twice."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def clear(self, *, but_logs: bool = False) -> None:
        """Remove the folder, or all that is in it but logs if there are any, and let go of it. May be called twice."""
        if self._lock < 0:
            return
        for entry in self.path.iterdir():
            if entry.name == _LOCK or (but_logs and entry.name == LOGS and any(entry.iterdir())):
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)
        (self.path / _LOCK).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody else may make it theirs at this very moment
            self.path.rmdir()
        self.let_go()


def _locked(path: Path) -> int:
    """The descriptor of its lock, -1 when the folder went away meanwhile. Raises BlockingIOError."""
    path.mkdir(mode=0o700, exist_ok=True)
    file = path / _LOCK
    try:
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:
        return -1
    try:
        # Of POSIX' kind: the kernel tells others who holds it.
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock), os.stat(file)):
            return lock
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(lock)
        raise
    os.close(lock)
    return -1
