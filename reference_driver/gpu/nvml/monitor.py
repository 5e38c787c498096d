"""A thread that looks at the GPUs and listens to what they tell, for as long as the driver runs.

A GPU that appears, vanishes or returns is seen only by who initialises NVML anew, so that is done whenever there is a
sign of it: one is lost, MIG devices have changed, or the kernel driver lists other GPUs.
"""

import threading
import time
from collections.abc import Callable

from reference_driver.plugin import log
from reference_driver.plugin.backoff import Backoff, Fuse

from . import places
from .ailments import FELL_OFF, OF_PROGRAMS, Look, look
from .library import Library, NvmlFailure
from .migs import layout
from .options import NvmlOptions
from .remembered import Remembered
from .session import Session, Told, session
from .state import State

STALE = 60.0  # seconds without an answer of NVML after which no GPU is vouched for
_FIRST, _MOST = 1.0, 15.0  # seconds between tries while NVML or a GPU does not answer
_FELL_OFF_THE_BUS = 79
OUTDATED = 60.0  # seconds after which a library of another version than the driver's is loaded anew, by a new process


class Monitor:
    """`snapshot` is how the GPUs are; `start` takes what is to be called whenever that has changed."""

    def __init__(self, library: Library, options: NvmlOptions, remembered: Remembered) -> None:
        self.library = library
        self._system = options.system_root
        self._period = options.period
        self._harmless = OF_PROGRAMS | options.ignored_xids
        self._state = State(remembered)
        self.snapshot = self._state.snapshot()
        self._answered = time.monotonic()
        self._first = threading.Event()
        self._stop = threading.Event()
        self._changed: Callable[[], None] = lambda: None
        self._outdated: Callable[[], None] = lambda: None
        self._began = time.monotonic()
        self._threads: list[threading.Thread] = []

    def start(self, changed: Callable[[], None], stop: threading.Event, outdated: Callable[[], None]) -> None:
        """Begin; `stop` ends it. `outdated` is called when only a new process can go on: the driver was updated."""
        self._changed, self._stop, self._outdated = changed, stop, outdated
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in (self._run, self._watch_over)]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait until it has ended, after `stop` was set: NVML is shut down then."""
        for thread in self._threads:
            thread.join()

    def wait_first(self, timeout: float) -> bool:
        """Wait until the GPUs were looked at once; False when NVML has not answered in `timeout` seconds."""
        return self._first.wait(timeout)

    @property
    def stale(self) -> bool:
        """Whether a call of NVML hangs."""
        return time.monotonic() - self._answered > STALE

    def _run(self) -> None:
        backoff = Backoff(first=min(_FIRST, self._period), most=_MOST)
        fuse = Fuse(free=10, window=60.0, delay=self._period)
        while not self._stop.is_set():
            try:
                with session(self.library, self._system) as opened:
                    self._state.take(opened.found, places.known_to_driver(self._system))
                    if not self._state.lost:
                        backoff.reset()
                    self._watch(opened, time.monotonic() + backoff.next() if self._state.lost else None)
                self._stop.wait(fuse.note())
            except NvmlFailure as failure:
                self._answered = time.monotonic()
                self._state.nothing_answers(failure)
                self._publish()
                if self._is_outdated(failure):
                    self._outdated()
                    return
                self._stop.wait(backoff.next())
            except Exception:
                log.failure("looking at the GPUs failed")
                self._stop.wait(backoff.next())

    def _is_outdated(self, failure: NvmlFailure) -> bool:
        """Whether the library that is loaded is not that of the driver, and is not just being replaced with it."""
        if failure.number != self.library.nvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH:
            return False
        outdated = time.monotonic() - self._began > OUTDATED
        if outdated:
            log.warning("the NVIDIA driver was updated: ending, so that a new process loads its library")
        return outdated

    def _watch_over(self) -> None:
        """Tell when NVML begins to hang, and when it answers again: who hangs cannot."""
        before = False
        while not self._stop.wait(self._period):
            if self.stale != before:
                before = not before
                log.warning("NVML does not answer" if before else "NVML answers again")
                self._changed()

    def _watch(self, opened: Session, until: float | None) -> None:
        """Look and listen until there is a reason to begin anew, at the latest at `until`."""
        listed = places.known_to_driver(self._system)
        due, first = 0.0, True
        try:
            while not self._stop.is_set():
                now = self._answered = time.monotonic()
                if now >= due:
                    self._look(opened, first)
                    first = False
                    due = now + self._period
                    if self._migs_changed(opened) or places.known_to_driver(self._system) != listed:
                        return
                if until is not None and now >= until:
                    return
                told = self._wait(opened, min(due, until or due) - now)
                if told:
                    due = 0.0
                    if self._hear(told):
                        return
        except NvmlFailure as failure:
            log.warning("a GPU does not answer, all are asked anew", error=str(failure))

    def _wait(self, opened: Session, seconds: float) -> Told | None:
        if opened.listening:
            return opened.wait(seconds)
        self._stop.wait(seconds)
        return None

    def _look(self, opened: Session, first: bool) -> None:
        """Look at every GPU; how that fails is what ails it. Raises NvmlFailure when one is lost that was there."""
        looks = {}
        for address, handle in opened.found.handles.items():
            try:
                looks[address] = look(self.library, handle)
            except NvmlFailure as failure:
                if failure.lost and not first:
                    raise
                looks[address] = Look(FELL_OFF if failure.lost else str(failure))
        self._state.looked(looks)
        self._publish()

    def _migs_changed(self, opened: Session) -> bool:
        return any(
            layout(self.library, opened.found.handles[gpu.bus_id]) != (gpu.mig_mode, {mig.uuid for mig in gpu.migs})
            for gpu in opened.found.gpus
            if gpu.mig_mode is not None
        )

    def _hear(self, told: Told) -> bool:
        """Take in what was told; whether all GPUs are to be asked anew."""
        nvml = self.library.nvml
        if told.kind == nvml.nvmlEventMigConfigChange:
            return True
        if told.kind == nvml.nvmlEventTypeXidCriticalError:
            harmless = told.data in self._harmless
            log.warning("a GPU told of an XID", gpu=told.bus_id, xid=told.data, instances=told.ids, ails=not harmless)
            if not harmless:
                self._state.told(told.bus_id, told.data, told.ids)
            return told.data == _FELL_OFF_THE_BUS
        return False

    def _publish(self) -> None:
        made = self._state.snapshot()
        if made == self.snapshot and self._first.is_set():
            return
        self.snapshot = made
        self._first.set()
        log.info("GPUs", count=len(made.gpus), devices=len(made.parts), sick=dict(made.ailments))
        self._changed()
