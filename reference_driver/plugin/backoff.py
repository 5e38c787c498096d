"""How long to wait after failures, and how often a thing may be put right."""

import random
import time
from collections import deque


class Backoff:
    """Growing delays with jitter, in seconds; `reset` after a success."""

    def __init__(self, first: float = 0.1, most: float = 10.0) -> None:
        self._first = first
        self._most = most
        self._failures = 0

    def next(self, at_least: float = 0) -> float:
        """The delay after one more failure."""
        delay = min(self._most, self._first * (1 << min(self._failures, 20)))
        self._failures += 1
        return max(at_least, delay * random.uniform(0.8, 1.2))

    def reset(self) -> None:
        """The next failure is the first one again."""
        self._failures = 0


class Fuse:
    """Slows down who repeats a thing too often: two instances that undo each other must not flood the API server."""

    def __init__(self, free: int = 20, window: float = 10.0, delay: float = 1.0) -> None:
        self._free = free
        self._window = window
        self._delay = delay
        self._times: deque[float] = deque()

    def note(self) -> float:
        """The thing was done; how many seconds to wait before doing it again: 0 while it is rare."""
        now = time.monotonic()
        self._times.append(now)
        while self._times[0] < now - self._window:
            self._times.popleft()
        return self._delay if len(self._times) > self._free else 0.0
