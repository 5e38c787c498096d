"""Threads that answer calls: no more than are needed, and no call is lost."""

import threading
from queue import SimpleQueue

from reference_driver.plugin.rpc import Workers


def test_as_much_at_once_as_there_are_threads_and_the_rest_afterwards() -> None:
    workers, begun, go_on = Workers(2, "w"), threading.Semaphore(0), threading.Event()
    done: SimpleQueue[int] = SimpleQueue()

    def wait() -> None:
        begun.release()
        assert go_on.wait(10)
        done.put(threading.get_ident())

    for _ in range(5):
        workers.submit(wait)
    assert begun.acquire(timeout=5)
    assert begun.acquire(timeout=5)
    assert done.empty()
    go_on.set()
    assert len({done.get(timeout=5) for _ in range(5)}) == 2
