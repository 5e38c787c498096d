"""Registered DRA plugins: several instances of a driver, and which of them are connected (dra_plugin_manager.go)."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.metrics import Metrics
from conformance.cluster.kubelet.plugin import Plugin, PluginError, choose_service
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.protocol import Registration


@dataclass(frozen=True)
class Usable:
    """Whether a driver has a connected instance."""

    driver: str
    usable: bool


class Plugins:
    """The plugins of a node. `changed` is told whenever a driver may have become usable or unusable."""

    def __init__(
        self,
        caller: Caller,
        settings: KubeletSettings,
        book: HealthBook,
        metrics: Metrics,
        changed: Callable[[Usable], None],
    ) -> None:
        self._caller = caller
        self._settings = settings
        self._book = book
        self._metrics = metrics
        self._told = changed
        self._store: dict[str, list[Plugin]] = {}
        self._condition = threading.Condition()

    def add(self, registration: Registration) -> Plugin:
        """Take a plugin in and begin to connect. Raises PluginError with the kubelet's text."""
        driver, endpoint = registration.driver, registration.endpoint
        choose_service(driver, endpoint, registration.supported_versions)
        with self._condition:
            known = self._store.setdefault(driver, [])
            if any(plugin.endpoint == endpoint for plugin in known):
                raise PluginError(f"endpoint {endpoint} already registered for DRA driver plugin {driver}")
            plugin = Plugin(
                registration, self._caller, self._settings, self._book, self._metrics, self._connection_changed
            )
            known.append(plugin)
        plugin.connect()
        self._tell(driver)
        return plugin

    def confirm(self, plugin: Plugin) -> None:
        """The plugin has answered the notification of its registration."""
        with self._condition:
            plugin.confirmed = True
            self._condition.notify_all()

    def remove(self, driver: str, endpoint: str) -> bool:
        """Forget a plugin and close its connection; whether it was there."""
        with self._condition:
            plugin = next((p for p in self._store.get(driver, ()) if p.endpoint == endpoint), None)
            if plugin is None:
                return False
            self._store[driver].remove(plugin)
            if not self._store[driver]:
                del self._store[driver]
            self._condition.notify_all()
        plugin.close()
        self._tell(driver)
        return True

    def get(self, driver: str) -> Plugin:
        """The newest connected instance, else the newest. Raises PluginError with the kubelet's text."""
        with self._condition:
            plugins = self._store.get(driver)
            if not driver or not plugins:
                raise PluginError(f"DRA driver {driver} is not registered" if driver else "DRA driver name is empty")
            return next((plugin for plugin in reversed(plugins) if plugin.connected), plugins[-1])

    def chosen(self, driver: str) -> str:
        """Endpoint of the instance that calls go to; "" when none is registered."""
        try:
            return self.get(driver).endpoint
        except PluginError:
            return ""

    def drivers(self) -> list[str]:
        """Names of all registered drivers, sorted."""
        with self._condition:
            return sorted(self._store)

    def confirmed(self, driver: str) -> list[Plugin]:
        """Instances that know of their registration, oldest first."""
        with self._condition:
            return [plugin for plugin in self._store.get(driver, ()) if plugin.confirmed]

    def wait(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait until the condition holds, looked at whenever a plugin comes, goes or (dis)connects."""
        with self._condition:
            return self._condition.wait_for(condition, timeout)

    def close(self) -> None:
        """Close all connections without telling anyone: the kubelet stops."""
        with self._condition:
            plugins = [plugin for known in self._store.values() for plugin in known]
            self._store.clear()
        closing = [threading.Thread(target=plugin.close, name=f"close {plugin.endpoint}") for plugin in plugins]
        for thread in closing:  # gRPC takes its time for each
            thread.start()
        for thread in closing:
            thread.join()

    def _connection_changed(self, plugin: Plugin) -> None:
        with self._condition:
            current = plugin in self._store.get(plugin.driver, ())
            self._condition.notify_all()
        if current:
            self._tell(plugin.driver)

    def _tell(self, driver: str) -> None:
        with self._condition:
            usable = any(plugin.connected for plugin in self._store.get(driver, ()))
        self._told(Usable(driver, usable))
