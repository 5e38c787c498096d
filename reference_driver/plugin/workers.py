"""Threads that answer gRPC's calls."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from typing import Any

_Inbox = SimpleQueue[Callable[[], None]]


class Workers(Executor):
    """Up to `most` threads, started when they are needed; they end with the process.

    Work goes to the thread that was the last to become idle, whose memory is still in the processor's caches.
    ThreadPoolExecutor gives it to each in turn, and so needs more threads and more time.
    """

    def __init__(self, most: int, name: str) -> None:
        self._left = most
        self._name = name
        self._guard = threading.Lock()  # of the fields below
        self._idle: list[_Inbox] = []
        self._waiting: deque[Callable[[], None]] = deque()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Have the work done by the next thread that is free."""
        future: Future[Any] = Future()
        job = partial(_do, future, partial(work, *arguments, **options))
        with self._guard:
            if self._idle:
                self._idle.pop().put(job)
            elif self._left:
                self._left -= 1
                threading.Thread(target=self._run, args=(job,), name=self._name, daemon=True).start()
            else:
                self._waiting.append(job)
        return future

    def _run(self, job: Callable[[], None]) -> None:
        inbox: _Inbox = SimpleQueue()
        while True:
            job()
            with self._guard:
                if self._waiting:
                    job = self._waiting.popleft()
                    continue
                self._idle.append(inbox)
            job = inbox.get()


def _do(future: Future[Any], work: Callable[[], Any]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # who waits for the future has to deal with it; the thread goes on
        future.set_exception(error)
