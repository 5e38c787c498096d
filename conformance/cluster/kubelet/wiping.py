"""Deletion of a node's ResourceSlices: all at the kubelet's start, a driver's when it stays away (manager.go)."""

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from conformance.cluster.api import Api, ApiError, NotFound
from conformance.cluster.kubelet.settings import KubeletSettings, growing

Wiped = Callable[[str, str], None]
_ALL = ""


@dataclass
class _Wipe:
    due: float
    failures: int = 0


class Wiper:
    """Wipes in a thread. `wiped` is told the driver ("" for all) and, when it failed for good, why."""

    def __init__(self, node: str, api: Api, settings: KubeletSettings, wiped: Wiped) -> None:
        self._node = node
        self._api = api
        self._settings = settings
        self._wiped = wiped
        self._pending: dict[str, _Wipe] = {}
        self._running: set[str] = set()
        self._random = random.Random(settings.seed)
        self._condition = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"wiper {node}", daemon=True)

    def start(self) -> None:
        """Wipe the node's slices of all drivers at once; when that fails, again and again in the thread."""
        self._try(_ALL, _Wipe(time.monotonic()))
        self._thread.start()

    def stop(self) -> None:
        """Forget what is pending and end the thread."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._thread.ident is not None:
            self._thread.join()

    def unusable(self, driver: str) -> None:
        """The driver has no connection: wipe after the delay, which goes on where it runs already."""
        with self._condition:
            if driver not in self._running:
                self._pending.setdefault(driver, _Wipe(time.monotonic() + self._settings.wipe_delay))
                self._condition.notify_all()

    def usable(self, driver: str) -> None:
        """The driver is connected: do not wipe, unless that has begun; what then fails is tried again all the same."""
        with self._condition:
            if driver not in self._running:
                self._pending.pop(driver, None)

    def pending(self) -> list[str]:
        """Drivers whose slices will be wiped, sorted."""
        with self._condition:
            return sorted(driver for driver in self._pending if driver != _ALL)

    def _run(self) -> None:
        while True:
            with self._condition:
                due = self._next()
                if due is None:
                    return
                driver, wipe = due
                del self._pending[driver]
                self._running.add(driver)
            self._try(driver, wipe)

    def _next(self) -> tuple[str, _Wipe] | None:
        """The next wipe that is due, waited for; None at the end."""
        while not self._stopping:
            first = min(self._pending.items(), key=lambda item: item[1].due, default=None)
            left = None if first is None else first[1].due - time.monotonic()
            if first is not None and left is not None and left <= 0:
                return first
            self._condition.wait(left)
        return None

    def _try(self, driver: str, wipe: _Wipe) -> None:
        selector = f"spec.nodeName={self._node}" + (f",spec.driver={driver}" if driver else "")
        try:
            self._api.get("nodes", self._node)
            with suppress(NotFound):
                self._api.delete_collection("resourceslices", field_selector=selector)
        except ApiError as error:
            self._again(driver, wipe, error)
        else:
            self._ended(driver, "")

    def _again(self, driver: str, wipe: _Wipe, error: ApiError) -> None:
        wipe.failures += 1
        if wipe.failures >= self._settings.wipe_tries:
            self._ended(driver, str(error))
            return
        delay = growing(self._settings.wipe_retry, 300, wipe.failures)
        wipe.due = time.monotonic() + delay * self._random.uniform(1, 1.2)
        with self._condition:
            self._pending.setdefault(driver, wipe)
            self._condition.notify_all()

    def _ended(self, driver: str, error: str) -> None:
        with self._condition:
            self._running.discard(driver)
        self._wiped(driver, error)
