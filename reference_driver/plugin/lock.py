"""Who may change the node's state: one call at a time, in all instances of the plugin on the node."""

import errno
import fcntl
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import OutOfTime

_ASK_AGAIN = 0.005  # seconds; a lock of another process cannot be awaited together with the end of a call

_NO_LIMIT = 86400.0  # seconds; gRPC gives a call without a deadline one that is centuries away


class Deadline:
    """How long the caller waits, and whether it still does."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = time.monotonic() + seconds if seconds is not None and seconds < _NO_LIMIT else None
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """The caller went away."""
        self._cancelled.set()

    def remaining(self) -> float | None:
        """Seconds left, at least 0; None when there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raise OutOfTime when nobody waits for the answer any more."""
        if self._cancelled.is_set() or self.remaining() == 0:
            raise OutOfTime("the caller no longer waits for this call")

    def pause(self, seconds: float) -> None:
        """Wait, but not longer than the caller does."""
        self._cancelled.wait(seconds)
        self.check()


class StateLock:
    """A lock between threads and, by flock, between processes; the kernel frees it when its holder dies.

    The file holds the mark of the last holder: who finds another's mark has to read the state from disk again.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._threads = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._mark = secrets.token_bytes(16)

    @contextmanager
    def hold(self, deadline: Deadline, reload: Callable[[], None]) -> Iterator[None]:
        """Hold the lock; `reload` is called first when somebody else held it since. Raises OutOfTime."""
        self._acquire(deadline)
        try:
            self._reload_if_stale(reload)
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self._threads.release()

    def _acquire(self, deadline: Deadline) -> None:
        remaining = deadline.remaining()
        if not self._threads.acquire(timeout=-1 if remaining is None else remaining):
            raise OutOfTime("the deadline passed while another call was at work")
        try:
            deadline.check()
            self._flock(deadline)
        except BaseException:
            self._threads.release()
            raise

    def _flock(self, deadline: Deadline) -> None:
        while True:
            try:
                return fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES):
                    raise
            deadline.pause(_ASK_AGAIN)

    def _reload_if_stale(self, reload: Callable[[], None]) -> None:
        if os.pread(self._file, len(self._mark), 0) != self._mark:
            reload()
            os.pwrite(self._file, self._mark, 0)
