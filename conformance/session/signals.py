"""SIGTERM, by which CI systems cancel, ends a run in the same orderly way as Ctrl-C."""

import os
import signal
import threading
from contextlib import suppress
from types import FrameType

import pytest

from conformance.session.state import ENDING

_BEFORE: pytest.StashKey[object] = pytest.StashKey()


def watch(config: pytest.Config) -> None:
    """Turn the first SIGTERM into KeyboardInterrupt; while a run ends, further ones change nothing."""
    if threading.current_thread() is not threading.main_thread():
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if not config.stash.get(ENDING, False):
            config.stash[ENDING] = True
            raise KeyboardInterrupt("terminated by SIGTERM")

    config.stash[_BEFORE] = signal.signal(signal.SIGTERM, interrupt)


def unwatch(config: pytest.Config) -> None:
    """Put the earlier handler back."""
    before = config.stash.get(_BEFORE, None)
    if before is not None:
        signal.signal(signal.SIGTERM, before)  # type: ignore[arg-type]


def end(pid: int) -> None:
    """Ask a worker to end in an orderly way."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGTERM)
