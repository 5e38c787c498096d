"""Registered DRA plugins: several instances of a driver, and which of them are connected (dra_plugin_manager.go)."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cluster.answer import ClaimRef
from conformance.cluster.dra_api import dra_v1_pb2, dra_v1_pb2_grpc, dra_v1beta1_pb2, dra_v1beta1_pb2_grpc
from conformance.cluster.kubelet.rpc import Call, Caller
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.sockets import Dialled, backoff_options
from conformance.cluster.protocol import Registration

DRA_SERVICES: dict[str, tuple[Any, Any]] = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc),
}
"""Services that the kubelet can use, as plugins advertise them."""

HEALTH_SERVICES = ("v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth")
"""Health services in the kubelet's order of preference."""


class PluginError(Exception):
    """A plugin cannot be used; the text is the kubelet's."""


def choose_service(driver: str, endpoint: str, versions: Sequence[str]) -> str:
    """The first service in the plugin's list that the kubelet knows. Raises PluginError with the kubelet's text."""
    found = next((version for version in versions if version in DRA_SERVICES), None)
    if found:
        return found
    if not versions:
        reason = "empty list of supported gRPC services (aka supported versions)"
    else:
        mine, known = (" ".join(f'"{name}"' for name in names) for names in (versions, DRA_SERVICES))
        reason = f"none of services supported by the plugin ([{mine}]) are supported by the kubelet ([{known}])"
    raise PluginError(f"invalid supported gRPC versions of DRA driver plugin {driver} at endpoint {endpoint}: {reason}")


class Plugin:
    """One instance of a driver, with one connection for all its services."""

    def __init__(
        self, registration: Registration, caller: Caller, settings: KubeletSettings, changed: Callable[["Plugin"], None]
    ) -> None:
        self.registration = registration
        self.driver = registration.driver
        self.endpoint = registration.endpoint
        self.service = choose_service(self.driver, self.endpoint, registration.supported_versions)
        self.health_service = next((s for s in HEALTH_SERVICES if s in registration.supported_versions), None)
        self.connected = False
        self.confirmed = False
        self._caller = caller
        self._settings = settings
        self._changed = changed
        options = backoff_options(settings.reconnect_backoff, settings.reconnect_backoff_max)
        self._dialled = Dialled(Path(self.endpoint.removeprefix("unix:")), options)
        self.channel = self._dialled.channel

    def connect(self) -> None:
        """Begin to connect, and keep connected: what becomes of it is told to `changed`."""
        self._watch.start()

    def call(
        self,
        method: str,
        claims: Sequence[ClaimRef],
        timeout: float | None = None,
        source: str = "kubelet",
        service: str = "",
    ) -> Any:
        """Call NodePrepareResources or NodeUnprepareResources; the response. Raises RpcFailed.

        `service`: one of DRA_SERVICES, instead of the one that was chosen at registration.
        """
        service = service or self.service
        messages, stubs = DRA_SERVICES[service]
        request = getattr(messages, f"{method}Request")(
            claims=[messages.Claim(namespace=claim.namespace, uid=claim.uid, name=claim.name) for claim in claims]
        )
        limit = self._settings.call_timeout if timeout is None else timeout
        call = Call(method, self.driver, self.endpoint, service, request, limit, source)
        return self._caller.call(call, getattr(stubs.DRAPluginStub(self.channel), method))

    def close(self) -> None:
        """End the connection; may be called twice."""
        self._watch.closing()
        self._dialled.close()
        self._watch.join()

    def _on_connection(self, connected: bool) -> None:
        self.connected = connected
        self._changed(self)


@dataclass(frozen=True)
class Usable:
    """Whether a driver has a connected instance."""

    driver: str
    usable: bool


class Plugins:
    """The plugins of a node. `changed` is told whenever a driver may have become usable or unusable."""

    def __init__(self, caller: Caller, settings: KubeletSettings, changed: Callable[[Usable], None]) -> None:
        self._caller = caller
        self._settings = settings
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
            plugin = Plugin(registration, self._caller, self._settings, self._connection_changed)
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
