"""A disk that is small, for checks of what a driver does when it is full."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from conformance.verdict import NotRun

_FILLER = "filler"
_MOST = 64 * 1024 * 1024  # bytes; that much is no small disk


@contextmanager
def small_disk(folder: Path, kibibytes: int) -> Iterator[None]:
    """Inside the block the folder is an empty file system of this size; afterwards it is what it was before.

    Raises NotRun where nothing can be mounted.
    """
    options = f"size={kibibytes}k,mode=0755"
    command = ["mount", "-t", "tmpfs", "-o", options, "dra-conformance", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotRun(f"a small disk cannot be had: {error}") from None
    if mounted.returncode:
        raise NotRun(f"a small disk cannot be had: {' '.join(mounted.stderr.split())}")
    try:
        yield
    finally:
        unmount(folder)


def unmount(folder: Path) -> None:
    """Take the file system away; whoever has files of it open keeps them."""
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)


def unmount_below(folder: Path) -> None:
    """Take all file systems away that are mounted below a folder: what a process that was killed has left."""
    with suppress(OSError):
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
        for point in (Path(line.split()[4]) for line in reversed(lines)):
            if point.is_relative_to(folder):
                unmount(point)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """Inside the block nothing more can be written to the folder's file system. Raises NotRun where it is large."""
    filler = folder / _FILLER
    try:
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.tell() < _MOST:
                file.write(bytes(4096))
            raise NotRun(f"folder {folder} is on a disk that is too large to be filled")
        yield
    finally:
        filler.unlink(missing_ok=True)
