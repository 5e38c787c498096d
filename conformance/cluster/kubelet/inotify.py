"""A small wrapper of Linux's inotify: watches on folders, events until it is closed."""

import ctypes
import os
import select
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

IN_MODIFY = 0x00000002
IN_MOVED_FROM = 0x00000040
IN_MOVED_TO = 0x00000080
IN_CREATE = 0x00000100
IN_DELETE = 0x00000200
IN_Q_OVERFLOW = 0x00004000
IN_IGNORED = 0x00008000
_IN_ONLYDIR = 0x01000000
_MASK = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | _IN_ONLYDIR
_HEADER = struct.Struct("iIII")

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Change:
    """Something appeared at `path` or was deleted from it. Renamed away is neither, as with fsnotify's Rename.

    written: neither, but a file's content was changed where it is.
    """

    path: Path
    created: bool
    written: bool = False


class Inotify:
    """Watches folders, not what lies below them. Use it from one thread; `wake` may be called from any."""

    def __init__(self) -> None:
        self._fd = _checked(_libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._folders: dict[int, Path] = {}

    def add(self, folder: Path, *, writes: bool = False) -> None:
        """Watch a folder, with `writes` also for files that are written to. Raises OSError when it is gone or none."""
        mask = _MASK | (IN_MODIFY if writes else 0)
        watch = _checked(_libc.inotify_add_watch(self._fd, os.fsencode(folder), mask))
        self._folders[watch] = folder

    def wake(self) -> None:
        """End a `changes` that waits."""
        os.write(self._wake_write, b"x")

    def changes(self) -> Iterator[Change]:
        """Wait for changes and give them; nothing after `wake`."""
        ready, _, _ = select.select([self._fd, self._wake_read], [], [])
        if self._wake_read not in ready:
            yield from self._read()

    def so_far(self) -> Iterator[Change]:
        """Changes that there were and that nobody took yet; nothing is waited for."""
        while select.select([self._fd], [], [], 0)[0]:
            yield from self._read()

    def _read(self) -> Iterator[Change]:
        data = os.read(self._fd, 65536)
        offset = 0
        while offset < len(data):
            watch, mask, _, length = _HEADER.unpack_from(data, offset)
            start = offset + _HEADER.size
            offset = start + length
            if mask & IN_IGNORED:
                self._folders.pop(watch, None)
            elif watch in self._folders and mask & (IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MODIFY):
                name = os.fsdecode(data[start:offset].rstrip(b"\0"))
                appeared = bool(mask & (IN_CREATE | IN_MOVED_TO))
                yield Change(self._folders[watch] / name, appeared, written=bool(mask & IN_MODIFY))

    def close(self) -> None:
        """Free the descriptors; nothing may wait in `changes`."""
        for descriptor in (self._fd, self._wake_read, self._wake_write):
            os.close(descriptor)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
