"""Room for what is nested deeply: Python limits how deep functions may call each other."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

# Enough for the deepest expression that Kubernetes takes.
_CALLS = 20_000
_lock = Lock()
_users = 0
_before = 0


@contextmanager
def room() -> Iterator[None]:
    """While any thread is in here, functions may call each other deeply; it is put back at the end.

    Functions written in Python take no room on the thread's own stack.
    """
    global _users, _before
    with _lock:
        if not _users:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before, _CALLS))
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                sys.setrecursionlimit(_before)
