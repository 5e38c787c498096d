"""The tap of one node: watches the shadow folder, and keeps a TappedDriver for each socket in it."""

import threading
from collections.abc import Sequence
from pathlib import Path

from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.metrics import Metrics
from conformance.cluster.kubelet.plugins import Plugins, Usable
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.watcher import PluginWatcher
from conformance.cluster.protocol import Registration
from conformance.cluster.tap.driver import TappedDriver
from conformance.cluster.tap.places import Places


class Tap:
    """Between the kubelet of one node and its drivers. `caller` records the calls and asks its interceptors."""

    def __init__(self, places: Places, caller: Caller, settings: KubeletSettings) -> None:
        self.plugins = Plugins(caller, settings, HealthBook(settings.health_timeout, _ignore), Metrics(), self._changed)
        self._places = places
        self._caller = caller
        self._settings = settings
        self._lock = threading.Lock()
        self._drivers: dict[Path, TappedDriver] = {}
        self._watcher = PluginWatcher(places.shadow, self._created, self._deleted)

    def start(self) -> None:
        """Remove sockets that an earlier tap has left, then watch. Raises OSError."""
        for folder in (self._places.registry, self._places.home, self._places.shadow):
            folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        for folder in (self._places.registry, self._places.home):
            for path in folder.iterdir():
                if path.is_socket():
                    path.unlink(missing_ok=True)
        self._watcher.start()

    def stop(self) -> None:
        """Take all drivers away from the kubelet."""
        self._watcher.stop()
        with self._lock:
            drivers = list(self._drivers.values())
            self._drivers.clear()
        for driver in drivers:
            driver.stop()
        self.plugins.close()

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Registered instances of a driver, oldest first."""
        with self._lock:
            known = {id(tapped.plugin): tapped.registration for tapped in self._drivers.values()}
        found = (known.get(id(plugin)) for plugin in self.plugins.confirmed(driver))
        return [registration for registration in found if registration]

    def forget(self) -> None:
        """The kubelet was stopped: its connections have ended, and nothing is registered until it asks again."""
        for driver in self.plugins.drivers():
            for plugin in self.plugins.confirmed(driver):
                plugin.confirmed = False
                self._told("unregistered", driver, plugin.endpoint)
        with self._lock:
            drivers = list(self._drivers.values())
        for tapped in drivers:
            tapped.drop()

    def _created(self, socket: Path) -> None:
        driver = self._make(socket)
        with self._lock:
            old, self._drivers[socket] = self._drivers.get(socket), driver
        if old:
            old.stop()
        driver.start()

    def _make(self, socket: Path) -> TappedDriver:
        return TappedDriver(socket, self._places, self.plugins, self._caller, self._settings, self._told)

    def _deleted(self, path: Path) -> None:
        with self._lock:
            gone = self._drivers.pop(path, None)
        if gone:
            gone.stop()

    def _changed(self, change: Usable) -> None:
        with self._lock:
            drivers = list(self._drivers.values())
        for driver in drivers:
            driver.follow()
        self._told("usable" if change.usable else "unusable", change.driver, "")

    def _told(self, action: str, driver: str, details: str) -> None:
        self._caller.history.record("kubelet", node=self._caller.node, action=action, driver=driver, details=details)


def _ignore(_driver: str) -> None:
    return None
