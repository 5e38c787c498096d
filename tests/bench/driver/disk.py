"""A folder on a real disk: where files are in memory only, syncing them costs nothing."""

from pathlib import Path

_FOLDERS = (Path("/var/tmp"), Path("/tmp"), Path.home())
_IN_MEMORY = {"tmpfs", "ramfs"}


def folder_on_disk() -> Path:
    """The first of some folders that is not in memory. Raises OSError."""
    for folder in _FOLDERS:
        if folder.is_dir() and _type(folder) not in _IN_MEMORY:
            return folder
    raise OSError(f"{', '.join(map(str, _FOLDERS))} are all in memory: nothing can be measured that syncs to a disk")


def _type(folder: Path) -> str:
    """The type of the file system that a folder is on: that of the mount with the longest path above it."""
    rows = [line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    above = [(row[1], row[2]) for row in rows if folder.resolve().is_relative_to(row[1])]
    return max(above, key=lambda row: len(row[0]))[1]
