"""Tells when an inventory file changes: GPUs are added and removed by editing it."""

import threading
from collections.abc import Callable
from pathlib import Path

_PERIOD = 0.1  # seconds between looks


def watch_file(
    path: Path, on_change: Callable[[], None], stop: threading.Event, period: float = _PERIOD, *, at_once: bool = False
) -> None:
    """Call `on_change` after every change of the file, until `stop` is set; a file that is gone for a while is none.

    With `at_once`, call it first for the file as it is.
    """
    seen = None if at_once else _state(path)
    while not stop.wait(period):
        state = _state(path)
        if state and state != seen:
            seen = state
            on_change()


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns
