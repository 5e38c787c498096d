"""Work on many things, some at the same time."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def results(work: Callable[[T], R], things: Iterable[T], workers: int) -> Iterator[Iterator[tuple[T, R]]]:
    """What came of each, as soon as it is there. What has not begun when the block ends, or fails, is not begun."""
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(work, thing): thing for thing in things}
        try:
            with closing((running[ended], ended.result()) for ended in as_completed(running)) as found:
                yield found
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
