"""Threads that answer calls: no more than are needed, and no call is lost."""

import threading

import pytest

from reference_driver.plugin.workers import Workers


def test_as_much_at_once_as_there_are_threads_and_the_rest_afterwards() -> None:
    workers, begun, go_on = Workers(2, "w"), threading.Semaphore(0), threading.Event()

    def wait() -> int:
        begun.release()
        assert go_on.wait(10)
        return threading.get_ident()

    waiting = [workers.submit(wait) for _ in range(5)]
    assert begun.acquire(timeout=5)
    assert begun.acquire(timeout=5)
    assert not any(future.done() for future in waiting)
    go_on.set()
    assert len({future.result(5) for future in waiting}) == 2


def test_who_waits_is_told_of_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        Workers(1, "w").submit(lambda: 1 // 0).result(5)
