"""Files that are whole or not there, whenever the process is killed."""

import os
from pathlib import Path


def write_atomic(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Replace `path` by a rename. With `durable` it also outlives a power cut, not only the end of the process."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")  # no suffix that a CDI cache or a reload would read
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.rename(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames and removals in `folder` outlive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_temporaries(folder: Path, prefix: str = "") -> None:
    """Remove what a killed process left of `write_atomic`; only while no other process can be writing."""
    for path in folder.glob(f".{prefix}*.tmp"):
        path.unlink(missing_ok=True)
