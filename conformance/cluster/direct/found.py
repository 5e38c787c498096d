"""One driver instance behind a registration socket: asked who it is, and connected to."""

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from conformance.cluster.dra_api import pluginregistration_pb2 as messages
from conformance.cluster.dra_api import pluginregistration_pb2_grpc as stubs
from conformance.cluster.kubelet.connection import wait_ready
from conformance.cluster.kubelet.direct import REGISTRATION, SOURCE
from conformance.cluster.kubelet.health import HEALTH_SERVICES
from conformance.cluster.kubelet.plugin import Plugin, PluginError
from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.registration import PLUGIN_TYPE
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings, growing
from conformance.cluster.kubelet.sockets import Dialled, backoff_options, registration_authority
from conformance.cluster.protocol import Registration


class FoundDriver:
    """Asks until there is an answer, or until it is stopped; then keeps the endpoint connected.

    `plugin` and `registration` are None until it has answered, and when no kubelet could use the answer.
    """

    def __init__(
        self,
        socket: Path,
        host_path: Callable[[str], Path],
        plugins: Plugins,
        caller: Caller,
        settings: KubeletSettings,
    ) -> None:
        self.socket = socket
        self.plugin: Plugin | None = None
        self.registration: Registration | None = None
        self._host_path = host_path
        self._plugins = plugins
        self._caller = caller
        self._settings = settings
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"found {socket.name}", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """End its connections: the registration socket is gone."""
        self._stopping.set()
        self._thread.join()
        if self.plugin:
            self._plugins.remove(self.plugin.driver, self.plugin.endpoint)

    def _run(self) -> None:
        # Gone again meanwhile, or nothing that a kubelet could use: then it is no driver of this node.
        with suppress(OSError, PluginError):
            info = self._ask()
            if info and info.type == PLUGIN_TYPE:
                self._take(info)

    def _ask(self) -> messages.PluginInfo | None:
        """What it says of itself; None when it was stopped before it said anything."""
        options = (
            ("grpc.default_authority", registration_authority(self.socket)),
            *backoff_options(self._settings.reconnect_backoff, self._settings.reconnect_backoff_max),
        )
        failures = 0
        with Dialled(self.socket, options) as channel:
            stub: Any = stubs.RegistrationStub(channel)
            while not self._stopping.is_set():
                if not wait_ready(channel, self._settings.dial_timeout, self._stopping):
                    continue
                call = Call("GetInfo", "", str(self.socket), REGISTRATION, messages.InfoRequest(), self._limit, SOURCE)
                try:
                    info: messages.PluginInfo = self._caller.call(call, stub.GetInfo)
                    return info
                except RpcFailed:
                    failures += 1
                    first, most = self._settings.register_backoff, self._settings.register_backoff_max
                    self._stopping.wait(growing(first, most, failures))
        return None

    @property
    def _limit(self) -> float:
        return self._settings.get_info_timeout

    def _take(self, info: messages.PluginInfo) -> None:
        """Connect to its endpoint. Raises PluginError, OSError."""
        own = info.endpoint or str(self.socket)
        seen = self._host_path(own) if info.endpoint else self.socket
        offered = tuple(info.supported_versions)
        # Health is for the kubelet to watch.
        versions = tuple(version for version in offered if version not in HEALTH_SERVICES)
        self.registration = Registration(info.name, own, offered, self.socket)
        self.plugin = self._plugins.add(Registration(info.name, str(seen), versions, self.socket))
        self._plugins.confirm(self.plugin)
