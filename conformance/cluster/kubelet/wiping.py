"""Deletion of a node's ResourceSlices: all at the kubelet's start, a driver's when it stays away (manager.go)."""

import threading
import time
from collections.abc import Callable
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
        self._done: set[str] = set()
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
        """The driver has no connection: wipe once after the delay, which begins anew only after it was usable again."""
        with self._condition:
            if driver not in self._done:
                self._pending.setdefault(driver, _Wipe(time.monotonic() + self._settings.wipe_delay))
                self._condition.notify_all()

    def usable(self, driver: str) -> None:
        """The driver is connected: do not wipe."""
        with self._condition:
            self._pending.pop(driver, None)
            self._done.discard(driver)

    def pending(self) -> list[str]:
        """Drivers whose slices will be wiped, sorted."""
        with self._condition:
            return sorted(self._pending)

    def _run(self) -> None:
        while True:
            with self._condition:
                due = self._next()
                if due is None:
                    return
                driver, wipe = due
                del self._pending[driver]
                self._done.add(driver)
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
            self._api.delete_collection("resourceslices", field_selector=selector)
        except NotFound:
            self._wiped(driver, "")
        except ApiError as error:
            self._again(driver, wipe, error)
        else:
            self._wiped(driver, "")

    def _again(self, driver: str, wipe: _Wipe, error: ApiError) -> None:
        wipe.failures += 1
        if wipe.failures >= self._settings.wipe_tries:
            self._wiped(driver, str(error))
            return
        wipe.due = time.monotonic() + growing(self._settings.wipe_retry, 300, wipe.failures)
        with self._condition:
            self._pending.setdefault(driver, wipe)
            self._condition.notify_all()
