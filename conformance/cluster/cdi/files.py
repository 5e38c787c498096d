"""Reading what a driver has put into a folder: it may be anything, also a pipe that nobody writes to, or a device."""

import os
import stat
from pathlib import Path

_MOST = 16 << 20  # bytes


def content(path: Path) -> bytes:
    """The content of a file. Raises OSError, also for what is no regular file, or far larger than a CDI spec can be."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is no regular file")
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise OSError(f"{path} is larger than {_MOST >> 20} MiB")
    return data
