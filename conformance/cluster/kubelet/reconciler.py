"""The plugin manager's loop: what sockets there are against what is registered (reconciler.go, the two caches)."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.registration import PLUGIN_TYPE, Registrar, RegistrationFailed
from conformance.cluster.kubelet.settings import KubeletSettings, growing

Told = Callable[[str, str, str], None]


@dataclass
class _Actual:
    number: int
    kind: str
    driver: str
    endpoint: str


@dataclass
class _Backoff:
    failures: int = 0
    until: float = 0.0


class Reconciler:
    """Registers and de-registers plugins as sockets come and go.

    `told` gets an action (registered, deregistered, register_failed; registered_other for what is no DRA plugin), the
    driver's name and details. Back-off belongs
    to the path of the socket and is not reset by making the socket anew.
    """

    def __init__(
        self,
        plugins: Plugins,
        registrar: Registrar,
        settings: KubeletSettings,
        told: Told,
        stopping: threading.Event,
    ) -> None:
        self._plugins = plugins
        self._registrar = registrar
        self._settings = settings
        self._told = told
        self._desired: dict[Path, int] = {}
        self._actual: dict[Path, _Actual] = {}
        self._backoff: dict[Path, _Backoff] = {}
        self._running: dict[Path, threading.Thread] = {}
        self._created = 0
        self._stopping = stopping
        self._condition = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="plugin-reconciler", daemon=True)

    def start(self) -> None:
        """Begin the loop in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the loop and the registrations that run, after `stopping` was set; what is registered stays so."""
        with self._condition:
            self._condition.notify_all()
        if self._thread.ident is not None:
            self._thread.join()
        for thread in list(self._running.values()):
            thread.join()

    def created(self, socket: Path) -> None:
        """A socket appeared, perhaps anew at a known path."""
        with self._condition:
            self._created += 1
            self._desired[socket] = self._created
            self._condition.notify_all()

    def deleted(self, path: Path) -> None:
        """A path was deleted."""
        with self._condition:
            self._desired.pop(path, None)
            self._condition.notify_all()

    def sockets(self) -> list[tuple[str, str]]:
        """Sockets of plugins as the metric has them: which should be registered, and which are."""
        with self._condition:
            actual = [(str(path), "actual_state_of_world") for path in self._actual]
            return actual + [(str(path), "desired_state_of_world") for path in self._desired]

    def _run(self) -> None:
        while True:
            with self._condition:
                if self._stopping.is_set():
                    return
                gone = self._take_gone()
                if not gone:
                    self._begin_registrations()
                    self._condition.wait(self._settings.reconcile_period)
            for actual in gone:
                if actual.kind == PLUGIN_TYPE and self._plugins.remove(actual.driver, actual.endpoint):
                    self._told("deregistered", actual.driver, actual.endpoint)

    def _take_gone(self) -> list[_Actual]:
        gone = [
            path
            for path, actual in self._actual.items()
            if path not in self._running and self._desired.get(path) != actual.number
        ]
        return [self._actual.pop(path) for path in gone]

    def _begin_registrations(self) -> None:
        now = time.monotonic()
        for path, number in self._desired.items():
            waiting = path in self._backoff and self._backoff[path].until > now
            if path not in self._actual and path not in self._running and not waiting:
                thread = threading.Thread(
                    target=self._register, args=(path, number), name=f"register {path}", daemon=True
                )
                self._running[path] = thread
                thread.start()

    def _register(self, path: Path, number: int) -> None:
        def adding(kind: str, driver: str, endpoint: str) -> None:
            with self._condition:
                self._actual[path] = _Actual(number, kind, driver, endpoint)

        def added(kind: str, driver: str, endpoint: str) -> None:
            with self._condition:
                self._backoff.pop(path, None)
            self._told("registered" if kind == PLUGIN_TYPE else "registered_other", driver, endpoint)

        try:
            self._registrar.register(path, adding, added)
        except RegistrationFailed as error:
            self._failed(path, str(error))
        finally:
            with self._condition:
                del self._running[path]
                self._condition.notify_all()

    def _failed(self, path: Path, error: str) -> None:
        with self._condition:
            actual = self._actual.pop(path, None)
            backoff = self._backoff.setdefault(path, _Backoff())
            backoff.failures += 1
            delay = growing(self._settings.register_backoff, self._settings.register_backoff_max, backoff.failures)
            backoff.until = time.monotonic() + delay
        if not self._stopping.is_set():
            self._told("register_failed", actual.driver if actual else "", error)
