"""Signals that end a run in an orderly way: Ctrl-C, SIGTERM as CI systems send it, SIGHUP of a terminal that closes."""

import ctypes
import os
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest

from conformance.session.state import ENDING, is_worker

_BEFORE: pytest.StashKey[Mapping[signal.Signals, Any]] = pytest.StashKey()
_PR_SET_PDEATHSIG = 1  # prctl(2)


def watch(config: pytest.Config) -> None:
    """Turn a signal into KeyboardInterrupt; once the run ends, further ones change nothing.

    A second KeyboardInterrupt would break off the clean-up and the report. Signals that are ignored (nohup) stay so.
    """
    if threading.current_thread() is not threading.main_thread():
        return

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if config.stash.get(ENDING, False):
            return
        reason = "interrupted by Ctrl-C" if number == signal.SIGINT else f"terminated by {signal.Signals(number).name}"
        # Python drops an exception that hits a finalizer: then the run ends after the check that runs now.
        for name in ("session", "dsession"):
            session: Any = config.pluginmanager.get_plugin(name)
            if session:
                session.shouldstop = reason
        raise KeyboardInterrupt(reason)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    watched = [number for number in numbers if signal.getsignal(number) not in (None, signal.SIG_IGN)]
    before: dict[signal.Signals, Any] = {number: signal.signal(number, interrupt) for number in watched}
    config.stash[_BEFORE] = before
    if is_worker(config):
        # SIGTERM from the kernel when the controller is killed: by itself a worker ends only many seconds later.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)


def unwatch(config: pytest.Config) -> None:
    """Put the earlier handlers back."""
    for number, before in config.stash.get(_BEFORE, {}).items():
        signal.signal(number, before)


def end(pid: int) -> None:
    """Ask a worker to end in an orderly way."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGTERM)
