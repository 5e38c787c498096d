"""Obstacles in a node's file system, for checks of what a driver does when it cannot write or clean up.

Permissions do not hold root up; the flag that makes a folder immutable does, where the file system has it.
"""

import fcntl
import os
import shutil
import struct
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from conformance.verdict import NotRun

_LONG = struct.calcsize("l") << 16
_GET_FLAGS, _SET_FLAGS = 0x80006601 | _LONG, 0x40006602 | _LONG  # FS_IOC_GETFLAGS, FS_IOC_SETFLAGS of linux/fs.h
_IMMUTABLE = 0x10
_READ_ONLY = 0o555


@contextmanager
def unwritable(folders: Iterable[Path]) -> Iterator[None]:
    """Inside the block nothing in the folders can be made, renamed or removed. Raises NotRun where that cannot be."""
    with ExitStack() as ending:
        for folder in sorted(folders):
            try:
                ending.enter_context(_immutable(folder) if os.geteuid() == 0 else _read_only(folder))
            except OSError as error:
                raise NotRun(f"folder {folder} cannot be made unwritable for a while: {error.strerror}") from None
        yield


@contextmanager
def stuck(files: Iterable[Path]) -> Iterator[None]:
    """Inside the block a folder that is not empty stands in the place of each file; whoever removes files fails on it.

    Afterwards the file is back, unless the folder was removed.
    """
    with ExitStack() as ending:
        for file in sorted(files):
            ending.enter_context(_folder_in_place_of(file))
        yield


@contextmanager
def in_the_way(paths: Iterable[Path]) -> Iterator[None]:
    """Inside the block a folder that is not empty stands where each file would be made; whoever makes one fails."""
    with ExitStack() as ending:
        for path in sorted(paths):
            path.mkdir()
            (path / "obstacle").touch()
            ending.callback(_remove_folder, path)
        yield


def _remove_folder(path: Path) -> None:
    if path.is_dir():  # who makes files in spite of it has removed the folder
        shutil.rmtree(path)


def free(folder: Path) -> None:
    """Take obstacles away that a process which was killed has left, at any depth."""
    for root, _, _ in os.walk(folder):
        with suppress(OSError):
            _set_immutable(Path(root), False)
        with suppress(OSError):
            os.chmod(root, 0o700)


@contextmanager
def _immutable(folder: Path) -> Iterator[None]:
    _set_immutable(folder, True)
    try:
        yield
    finally:
        _set_immutable(folder, False)


def _set_immutable(folder: Path, wanted: bool) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        flags = struct.unpack("l", fcntl.ioctl(opened, _GET_FLAGS, struct.pack("l", 0)))[0]
        flags = flags | _IMMUTABLE if wanted else flags & ~_IMMUTABLE
        fcntl.ioctl(opened, _SET_FLAGS, struct.pack("l", flags))
    finally:
        os.close(opened)


@contextmanager
def _read_only(folder: Path) -> Iterator[None]:
    before = folder.stat().st_mode
    folder.chmod(_READ_ONLY)
    try:
        yield
    finally:
        folder.chmod(before)


@contextmanager
def _folder_in_place_of(file: Path) -> Iterator[None]:
    aside, obstacle = file.with_name(f".{file.name}.aside"), file / "obstacle"
    file.rename(aside)
    obstacle.parent.mkdir()
    obstacle.touch()
    try:
        yield
    finally:
        still = obstacle.exists()
        shutil.rmtree(file, ignore_errors=True)
        if still:
            aside.rename(file)
        aside.unlink(missing_ok=True)
