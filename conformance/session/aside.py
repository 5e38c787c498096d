"""What an earlier run has left, set aside in its folder until it is clear that another one has begun there.

A process may be killed at any moment, so that all of this can be gone on with: a mark says that all was set aside, and
that what is beside it since then is of the later run.
"""

import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

_FOLDER = ".earlier"
_GONE = ".gone"
_ALL = ".all"

Paths = Callable[[], Iterable[Path]]


def put(folder: Path, paths: Iterable[Path]) -> None:
    """Set these aside. Raises OSError."""
    drop(folder)
    (folder / _FOLDER).mkdir()
    for path in list(paths):
        path.rename(folder / _FOLDER / path.name)
    (folder / _FOLDER / _ALL).touch()


def back(folder: Path, paths: Paths) -> None:
    """Put back what was set aside; what a later run has written meanwhile goes away. Raises OSError."""
    if (folder / _FOLDER / _ALL).exists():
        for path in list(paths()):
            remove(path)
        (folder / _FOLDER / _ALL).unlink()
    for path in list((folder / _FOLDER).glob("*")):
        remove(folder / path.name)
        path.rename(folder / path.name)
    drop(folder)


def drop(folder: Path) -> None:
    """Remove what was set aside. Raises OSError where not even its name can go away."""
    remove(folder / _GONE)
    with suppress(FileNotFoundError):
        (folder / _FOLDER).rename(folder / _GONE)  # at once: a part of it is nothing to put back
    remove(folder / _GONE)


def holds(folder: Path, name: str) -> bool:
    """Whether a file or folder of this name was set aside."""
    return place(folder, name).exists()


def place(folder: Path, name: str) -> Path:
    """Where a file or folder of this name is while it is set aside."""
    return folder / _FOLDER / name


def broken_off(folder: Path) -> bool:
    """Whether setting aside or putting back was broken off half-way."""
    return (folder / _FOLDER).is_dir() and not holds(folder, _ALL)


def remove(path: Path) -> None:
    """Remove a file or a folder, as far as that is possible."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
