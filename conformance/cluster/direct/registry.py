"""The drivers that are found behind the sockets of a kubelet's registry folder: asked as a kubelet asks, told nothing.

Whether the kubelet itself has registered one cannot be seen. What can be: its registration socket answered GetInfo, and
its DRA endpoint is connected now.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from conformance.cluster.direct.found import FoundDriver
from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.metrics import Metrics
from conformance.cluster.kubelet.plugins import Plugins, Usable
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.watcher import PluginWatcher
from conformance.cluster.protocol import Registration


class Registry:
    """Watches a registry folder, and keeps a connection to the endpoint of each driver in it."""

    def __init__(
        self, folder: Path, host_path: Callable[[str], Path], caller: Caller, settings: KubeletSettings
    ) -> None:
        """host_path: where a path that a process on the node uses is seen from the harness."""
        book = HealthBook(settings.health_timeout, _ignore)
        self.plugins = Plugins(caller, settings, book, Metrics(), _ignore_usable)
        self._folder = folder
        self._host_path = host_path
        self._caller = caller
        self._settings = settings
        self._lock = threading.Lock()
        self._found: dict[Path, FoundDriver] = {}
        self._watcher = PluginWatcher(folder, self._created, self._deleted)

    def start(self) -> None:
        """Ask what is behind the sockets that are there, and those to come. Raises OSError."""
        self._watcher.start()

    def stop(self) -> None:
        """End all connections. May be called twice."""
        self._watcher.stop()
        with self._lock:
            found = list(self._found.values())
            self._found.clear()
        for driver in found:
            driver.stop()
        self.plugins.close()

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Instances of a driver that answer on both of their sockets, oldest first."""
        with self._lock:
            known = {id(found.plugin): found.registration for found in self._found.values()}
        answering = [plugin for plugin in self.plugins.confirmed(driver) if plugin.connected]
        found = (known.get(id(plugin)) for plugin in answering)
        return [registration for registration in found if registration]

    def forget(self) -> None:
        """The kubelet was stopped: the drivers still answer, and what it does with them cannot be seen."""

    def _created(self, socket: Path) -> None:
        driver = FoundDriver(socket, self._host_path, self.plugins, self._caller, self._settings)
        with self._lock:
            old, self._found[socket] = self._found.get(socket), driver
        if old:
            old.stop()
        driver.start()

    def _deleted(self, path: Path) -> None:
        with self._lock:
            gone = self._found.pop(path, None)
        if gone:
            gone.stop()


def _ignore(_driver: str) -> None:
    return None


def _ignore_usable(_change: Usable) -> None:
    return None
