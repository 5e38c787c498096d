"""The DRA and health services of one driver instance, in front of the driver's own."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from conformance.cluster.kubelet.health import HEALTH_SERVICES
from conformance.cluster.kubelet.health import METHOD as WATCH
from conformance.cluster.kubelet.plugin import DRA_SERVICES, Plugin
from conformance.cluster.kubelet.rpc import Call, Caller
from conformance.cluster.tap.forward import pass_on, stream_on
from conformance.cluster.tap.serving import SocketServer


class DraProxy:
    """Serves what the driver advertises, as long as there is a connection to the driver."""

    def __init__(self, path: Path, plugin: Plugin, endpoint: str, versions: tuple[str, ...], caller: Caller) -> None:
        self.plugin = plugin
        self._endpoint = endpoint
        self._versions = versions
        self._caller = caller
        health = {name: HEALTH_SERVICES[name][1] for name in versions if name in HEALTH_SERVICES}
        self._health = {
            name: getattr(stubs.DRAResourceHealthStub(plugin.channel), WATCH) for name, stubs in health.items()
        }
        self._server = SocketServer(path, self._add)

    def follow(self) -> None:
        """Listen while the driver is connected, and only then: the kubelet is to notice when it goes."""
        if self.plugin.connected:
            self._server.start()
        else:
            self._server.stop()

    def stop(self) -> None:
        """End all connections and remove the socket."""
        self._server.stop()

    def _add(self, server: Any) -> None:
        for service in self._versions:
            if service in DRA_SERVICES:
                _, stubs = DRA_SERVICES[service]
                stubs.add_DRAPluginServicer_to_server(_Dra(self, service), server)
            elif service in HEALTH_SERVICES:
                _, stubs = HEALTH_SERVICES[service]
                stubs.add_DRAResourceHealthServicer_to_server(_Health(self, service), server)

    def call(self, method: str, service: str, request: Any, context: Any) -> Any:
        """Pass one call on."""
        stub = getattr(self.plugin.stubs[service], method)
        return pass_on(self._caller, self._call(method, service, request), stub, context)

    def watch(self, service: str, request: Any, context: Any) -> Iterator[Any]:
        """Pass a health stream on."""
        yield from stream_on(self._caller, self._call(WATCH, service, request), self._health[service], context)

    def _call(self, method: str, service: str, request: Any) -> Call:
        return Call(method, self.plugin.driver, self._endpoint, service, request, 0)


class _Dra:
    """A DRAPlugin service."""

    def __init__(self, proxy: DraProxy, service: str) -> None:
        self.NodePrepareResources = partial(proxy.call, "NodePrepareResources", service)
        self.NodeUnprepareResources = partial(proxy.call, "NodeUnprepareResources", service)


class _Health:
    """A DRAResourceHealth service."""

    def __init__(self, proxy: DraProxy, service: str) -> None:
        self.NodeWatchResources = partial(proxy.watch, service)
