"""The reference driver, with a clock on each of its steps: python -m tests.bench.driver.traced.

A step's time does not hold that of steps inside it, so that the times of all add up to that of the call. They are
written as JSON into the file $DRA_BENCH_TRACE when the driver ends: for each step how often, and how many seconds.
"""

import json
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reference_driver import gpu
from reference_driver.plugin import cdi, checkpoint, claims, handler, kube, lock, log, metadata, reporting, service

FILE = "DRA_BENCH_TRACE"

STEPS: tuple[tuple[object, str, str], ...] = (
    (service.DraServicer, "NodePrepareResources", "messages"),
    (service.DraServicer, "NodeUnprepareResources", "messages"),
    (kube.KubeClient, "get", "API read"),
    (claims.ClaimReader, "read", "claim"),
    (handler.ClaimHandler, "prepare", "handler"),
    (handler.ClaimHandler, "unprepare", "handler"),
    (lock.StateLock, "_acquire", "lock"),
    (checkpoint.Checkpoint, "save", "checkpoint"),
    (checkpoint.Checkpoint, "delete", "checkpoint"),
    (cdi.CdiFolder, "spec", "CDI"),
    (cdi.CdiFolder, "write", "CDI"),
    (cdi.CdiFolder, "ensure", "CDI"),
    (cdi.CdiFolder, "remove", "CDI"),
    (metadata.MetadataFolder, "try_to_write", "metadata"),
    (metadata.MetadataFolder, "write", "metadata"),
    (metadata.MetadataFolder, "remove", "metadata"),
    (gpu.GpuDriver, "check", "GPU driver"),
    (gpu.GpuDriver, "prepare", "GPU driver"),
    (gpu.GpuDriver, "attributes", "GPU driver"),
    (reporting.DeviceReporter, "report", "status report"),
    (log, "info", "log"),
    (os, "fsync", "fsync"),
)
"""Whose method or function, its name, and the step that it belongs to."""


class Clock:
    """Times of steps, in all threads that are inside of a call."""

    def __init__(self) -> None:
        self.steps: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
        self._here = threading.local()

    def on(self, owner: Any, name: str, step: str) -> None:
        """Put a clock on a function."""
        function: Callable[..., Any] = getattr(owner, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            with self._running(step):
                return function(*arguments, **options)

        setattr(owner, name, timed)

    @contextmanager
    def _running(self, step: str) -> Iterator[None]:
        outer: list[float] | None = getattr(self._here, "inside", None)
        if outer is None and step != "messages":  # a thread of the background
            yield
            return
        mine = self._here.inside = [0.0]
        began = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - began
            self._here.inside = outer
            if outer is not None:
                outer[0] += took
            row = self.steps[step]
            row[0] += 1
            row[1] += took - mine[0]


def main() -> int:
    """The exit status of the driver."""
    clock = Clock()
    for owner, name, step in STEPS:
        clock.on(owner, name, step)
    status = gpu.main()
    Path(os.environ[FILE]).write_text(json.dumps(clock.steps), encoding="utf-8")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
