"""Signals that end a kept cluster in an orderly way."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside the block the first of these signals is a KeyboardInterrupt, and further ones change nothing.

    A second KeyboardInterrupt would break off the clean-up. Signals that are ignored (nohup) stay so.
    """
    told = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal told
        if not told:
            told = True
            raise KeyboardInterrupt

    watched = [number for number in _NUMBERS if signal.getsignal(number) not in (None, signal.SIG_IGN)]
    before: dict[signal.Signals, Any] = {number: signal.signal(number, interrupt) for number in watched}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
