"""Threads that answer calls."""

import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue

_Job = Callable[[], None]


class Workers:
    """Up to `most` threads, started when they are needed; they end with the process.

    A job goes to the thread that was the last to become idle, whose memory is still in the processor's caches.
    ThreadPoolExecutor gives it to each in turn, and so needs more threads and more time.
    """

    def __init__(self, most: int, name: str) -> None:
        self._left = most
        self._name = name
        self._guard = threading.Lock()  # of the fields below
        self._idle: list[SimpleQueue[_Job]] = []
        self._waiting: deque[_Job] = deque()

    def submit(self, job: Callable[[], None]) -> None:
        """Have a job done by the next thread that is free. What it raises is its own affair."""
        with self._guard:
            if self._idle:
                self._idle.pop().put(job)
            elif self._left:
                self._left -= 1
                threading.Thread(target=self._run, args=(job,), name=self._name, daemon=True).start()
            else:
                self._waiting.append(job)

    def _run(self, job: _Job) -> None:
        inbox: SimpleQueue[_Job] = SimpleQueue()
        while True:
            job()
            with self._guard:
                if self._waiting:
                    job = self._waiting.popleft()
                    continue
                self._idle.append(inbox)
            job = inbox.get()
