"""One driver instance behind the tap: its registration socket, and what the kubelet was told of it."""

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.cluster.dra_api import pluginregistration_pb2 as messages
from conformance.cluster.dra_api import pluginregistration_pb2_grpc as stubs
from conformance.cluster.kubelet.connection import wait_ready
from conformance.cluster.kubelet.direct import REGISTRATION
from conformance.cluster.kubelet.health import HEALTH_SERVICES
from conformance.cluster.kubelet.plugin import Plugin, PluginError
from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.registration import PLUGIN_TYPE
from conformance.cluster.kubelet.rpc import Call, Caller
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.sockets import Dialled, backoff_options, registration_authority
from conformance.cluster.protocol import Registration
from conformance.cluster.tap.dra import DraProxy
from conformance.cluster.tap.forward import deadline, pass_on
from conformance.cluster.tap.places import Places
from conformance.cluster.tap.serving import SocketServer

_CONNECTS_WITHIN = 0.5  # seconds
_MARGIN = 0.3  # seconds of the one that the kubelet gives GetInfo: no driver fails because of the tap

Told = Callable[[str, str, str], None]
"""Is told an action (registered, deregistered, register_failed), the driver's name and details."""


class TappedDriver:
    """Answers the kubelet in the place of the driver behind one registration socket."""

    def __init__(
        self, socket: Path, places: Places, plugins: Plugins, caller: Caller, settings: KubeletSettings, told: Told
    ) -> None:
        self.socket = socket
        self._places = places
        self._plugins = plugins
        self._caller = caller
        self._settings = settings
        self._told = told
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        options = (
            ("grpc.default_authority", registration_authority(socket)),
            *backoff_options(settings.reconnect_backoff, settings.reconnect_backoff_max),
        )
        self._dialled = Dialled(socket, options)
        self._stub: Any = stubs.RegistrationStub(self._dialled.channel)
        self._server = SocketServer(places.registry / socket.name, self._add)
        self._proxy: DraProxy | None = None
        self._info: messages.PluginInfo | None = None
        self.registration: Registration | None = None
        self._thread = threading.Thread(target=self._begin, name=f"tap {socket.name}", daemon=True)

    def start(self) -> None:
        """Offer the driver to the kubelet as soon as it can be dialled."""
        self._thread.start()

    def stop(self) -> None:
        """Take it away from the kubelet: the driver's registration socket is gone."""
        self._stopping.set()
        self._thread.join()
        self._server.stop()
        self.drop()
        self._dialled.close()

    @property
    def plugin(self) -> Plugin | None:
        """The connection to its DRA services, once the kubelet has asked for it."""
        proxy = self._proxy
        return proxy.plugin if proxy else None

    def follow(self) -> None:
        """The connection to the driver may have changed."""
        with self._lock:
            proxy = self._proxy
        if proxy:
            proxy.follow()

    def _begin(self) -> None:
        while not wait_ready(self._dialled.channel, self._settings.dial_timeout, self._stopping):
            if self._stopping.is_set():
                return
            self._told("register_failed", "", f"failed to dial socket {self.socket}, err: context deadline exceeded")
        if not self._stopping.is_set():
            self._server.start()

    def _add(self, server: Any) -> None:
        stubs.add_RegistrationServicer_to_server(self, server)

    def GetInfo(self, request: Any, context: Any) -> Any:
        """The driver's answer, with the tap's endpoint in the place of the driver's own."""
        info = pass_on(self._caller, self._call("GetInfo", request), self._stub.GetInfo, context)
        answer = messages.PluginInfo()
        answer.CopyFrom(info)
        if info.type == PLUGIN_TYPE:
            with contextlib.suppress(PluginError):  # one that the kubelet will refuse by itself
                answer.endpoint = self._take(info, deadline(context) - _MARGIN)
        return answer

    def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any:
        """Tell the driver how its registration went."""
        call = self._call("NotifyRegistrationStatus", request)
        answer = pass_on(self._caller, call, self._stub.NotifyRegistrationStatus, context)
        proxy, name = self._proxy, self._info.name if self._info else ""
        if request.plugin_registered and proxy:
            self._plugins.confirm(proxy.plugin)
            self._told("registered", name, proxy.plugin.endpoint)
        elif not request.plugin_registered:
            self.drop()
            self._told("register_failed", name, request.error)
        return answer

    def _take(self, info: messages.PluginInfo, patience: float) -> str:
        """The tap's endpoint, in front of the driver's; waits at most `patience` seconds for it. Raises PluginError."""
        own = info.endpoint or str(self.socket)
        seen = self._places.host_path(own) if info.endpoint else self.socket
        path, on_node = self._places.dra_socket(own)
        with self._lock:
            if self._info == info and self._proxy:
                return on_node
        self.drop()
        offered = tuple(info.supported_versions)
        # Health is watched by the kubelet: that stream is passed on, and we need none of our own.
        versions = tuple(version for version in offered if version not in HEALTH_SERVICES)
        plugin = self._plugins.add(Registration(info.name, str(seen), versions, self.socket))
        with self._lock:
            self._info = info
            self.registration = Registration(info.name, own, offered, self.socket)
            self._proxy = DraProxy(path, plugin, own, offered, self._caller)
        # The kubelet dials at once when it has its answer, and a pod's first Prepare fails when that is in vain.
        self._plugins.wait(lambda: plugin.connected, max(0.0, min(patience, _CONNECTS_WITHIN)))
        self.follow()
        return on_node

    def drop(self) -> None:
        """End the connection to its DRA services, until the kubelet asks for it again."""
        with self._lock:
            proxy, self._proxy, self._info = self._proxy, None, None
        if proxy:
            proxy.stop()
            confirmed = proxy.plugin.confirmed
            self._plugins.remove(proxy.plugin.driver, proxy.plugin.endpoint)
            if confirmed:
                self._told("deregistered", proxy.plugin.driver, proxy.plugin.endpoint)

    def _call(self, method: str, request: Any) -> Call:
        name = self._info.name if self._info else ""
        return Call(method, name, str(self.socket), REGISTRATION, request, 0)
