"""Files that are whole or not there, whenever the process is killed, and what makes them outlive a power cut."""

import os
import threading
import weakref
from contextlib import suppress
from pathlib import Path


def write_atomic(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Replace `path` by a rename. With `durable` it also outlives a power cut, not only the end of the process."""
    folder, name = os.path.split(path)
    temporary = f"{folder}/.{name}.{os.getpid()}.tmp"  # no suffix that a CDI cache or a reload would read
    try:
        write(temporary, data, durable=durable)
        os.rename(temporary, path)
    except OSError:
        remove(temporary)
        raise
    if durable:
        sync_folder(path.parent)


def write(path: str | Path, data: bytes, *, durable: bool = False, new: bool = False) -> None:
    """Write a file, with as few system calls as can be: at each of them other threads may take the interpreter.

    Raises FileExistsError when it has to be `new` and is not, OSError when it cannot be written.
    """
    how = os.O_EXCL if new else os.O_TRUNC
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: str | Path) -> None:
    """Remove a file, if there is one. Raises OSError."""
    with suppress(FileNotFoundError):
        os.unlink(path)


def sync_folder(folder: Path) -> None:
    """Make renames and removals in `folder` outlive a power cut."""
    _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: str | Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class GroupSync:
    """Makes changes in one folder outlive a power cut. Changes of several threads at once cost little more than one.

    Who changes something says `changed`, and does not speak of it to others before `sync` has returned. While one
    thread syncs, the others wait; the next one then does it for all that wait.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._descriptor)
        self._guard = threading.Lock()  # of the fields below
        self._turn = threading.Lock()  # of the thread that syncs for all
        self._files: set[str] = set()
        self._made = 0  # changes so far
        self._settled = 0  # of them, those that were synced, or lost
        self._lost = (0, 0)  # those after the first and up to the second, when it last failed

    def changed(self, file: Path | None = None) -> None:
        """A file of the folder was written, or anything in the folder was renamed or removed."""
        with self._guard:
            self._made += 1
            if file:
                self._files.add(os.fspath(file))

    def sync(self) -> None:
        """All that was changed before the call outlives a power cut. Raises OSError where some of it may not."""
        wanted = self._made
        with self._turn:
            if wanted > self._settled:
                self._sync_all()
            after, upto = self._lost
            if after < wanted <= upto:
                raise OSError(f"what was written to {self._folder} may be lost")

    def _sync_all(self) -> None:
        with self._guard:
            files, upto = self._files, self._made
            self._files = set()
        try:
            for file in files:
                with suppress(FileNotFoundError):  # removed again meanwhile
                    _sync(file, os.O_RDONLY)
            os.fsync(self._descriptor)
        except OSError:
            self._lost = self._settled, upto
            self.changed()  # to try again next time, at least with the folder
            raise
        finally:
            self._settled = upto


def remove_temporaries(folder: Path, prefix: str = "") -> None:
    """Remove what a killed process left of `write_atomic`; only while no other process can be writing."""
    for path in folder.glob(f".{prefix}*.tmp"):
        path.unlink(missing_ok=True)
