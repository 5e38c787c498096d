"""The private folder of a run, and the sweep of what runs that were killed have left."""

import contextlib
import fcntl
import os
import secrets
import select
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

RUN_VARIABLE = "DRA_CONFORMANCE_RUN"
"""Set in the environment of every child process of a run, to the path of its folder."""

_PREFIX = "dc"
_PID_FILE = "run.pid"
_LONGEST_BASE = len("/tmp")  # sockets' paths then are no longer than on a node: what fits below /var/lib/kubelet fits
_TRIES = 1000
_PATIENCE = 5.0  # seconds until a process that was sent SIGKILL is gone


class RunDir:
    """A private folder that lives as long as the run; its name is short, as unix sockets are made in it."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def create(cls, base: Path | None = None) -> "RunDir":
        """Sweep dead runs, then make a folder for this one; `base` is where runs have their folders."""
        base = base or _base()
        sweep(base)
        path = _make_folder(base)
        return cls(path, _locked_pid_file(path))

    @property
    def environment(self) -> Mapping[str, str]:
        """What child processes must have in their environment."""
        return {RUN_VARIABLE: str(self.path)}

    def close(self) -> None:
        """End what is left of the run's processes and remove the folder. May be called twice."""
        if self._lock >= 0:
            _kill(_processes_of(self.path))
            _remove(self.path)
            os.close(self._lock)
            self._lock = -1


def sweep(base: Path | None = None) -> list[Path]:
    """End the processes of this user's dead runs and remove their folders; returns the folders.

    A run is dead when nobody holds the lock on its pid file. Living runs, other users' runs and folders without a
    pid file of ours are left alone.
    """
    return [path for path in sorted((base or _base()).glob(f"{_PREFIX}*")) if _sweep_one(path)]


def _sweep_one(path: Path) -> bool:
    try:
        if path.is_symlink() or path.stat().st_uid != os.getuid():
            return False
        lock = os.open(path / _PID_FILE, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _kill(_processes_of(path))
        _remove(path)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(lock)


def _remove(folder: Path) -> None:
    # The pid file last: a harness that is killed meanwhile leaves a folder that the next sweep knows.
    with contextlib.suppress(OSError):
        for entry in [path for path in folder.iterdir() if path.name != _PID_FILE]:
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():  # an obstacle that a check of a killed run has put there, perhaps
        from conformance.cluster.obstacles import free  # the package imports this module
        from conformance.cluster.smalldisk import unmount_below

        unmount_below(folder)
        free(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _base() -> Path:
    base, short = Path(tempfile.gettempdir()).resolve(), Path("/tmp")
    return base if len(str(base)) <= _LONGEST_BASE or not os.access(short, os.W_OK | os.X_OK) else short


def _make_folder(base: Path) -> Path:
    # tempfile's names are four characters longer.
    for _ in range(_TRIES):
        path = base / f"{_PREFIX}{secrets.token_hex(2)}"
        with contextlib.suppress(FileExistsError):
            path.mkdir(0o700)
            return path
    raise FileExistsError(f"{base} is full of folders {_PREFIX}*")


def _locked_pid_file(folder: Path) -> int:
    # Locked before it has its name, so that no sweep ever finds it unlocked.
    draft = folder / f"{_PID_FILE}.new"
    lock = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    os.write(lock, f"{os.getpid()}\n".encode())
    fcntl.flock(lock, fcntl.LOCK_EX)
    draft.rename(folder / _PID_FILE)
    return lock


def _processes_of(folder: Path) -> Iterator[int]:
    wanted = f"{RUN_VARIABLE}={folder}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if entry.stat().st_uid == os.getuid() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                yield int(entry.name)


def _kill(pids: Iterator[int]) -> None:
    watched = []
    for pid in pids:
        with contextlib.suppress(OSError):
            watched.append(os.pidfd_open(pid))
            signal.pidfd_send_signal(watched[-1], signal.SIGKILL)
    for handle in watched:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.poll(_PATIENCE * 1000)
        os.close(handle)
