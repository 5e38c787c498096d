"""Registering one plugin: dial, GetInfo, validation, NotifyRegistrationStatus (operation_generator.go)."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from conformance.cluster.dra_api import pluginregistration_pb2 as messages
from conformance.cluster.dra_api import pluginregistration_pb2_grpc as stubs
from conformance.cluster.kubelet import othertypes
from conformance.cluster.kubelet.connection import wait_ready
from conformance.cluster.kubelet.plugin import Plugin, PluginError, choose_service
from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.sockets import Dialled, backoff_options, registration_authority
from conformance.cluster.protocol import Registration

PLUGIN_TYPE = "DRAPlugin"
KUBELET_DIR = "/var/lib/kubelet/"
"""The kubelet's folder on a node, as a driver knows it that has its paths built in."""
Told = Callable[[str, str, str], None]
"""Is told the type, name and endpoint of a plugin."""
_PREFIX = "RegisterPlugin error --"


class RegistrationFailed(Exception):
    """A plugin could not be registered; the text is the kubelet's log line."""


class Registrar:
    """Registers plugins with `plugins`. One `register` per socket at a time; it may run in many threads."""

    def __init__(
        self, plugins: Plugins, caller: Caller, settings: KubeletSettings, stopping: threading.Event, kubelet_dir: Path
    ) -> None:
        """kubelet_dir: the folder that is /var/lib/kubelet on this node, and so to drivers in containers."""
        self._kubelet_dir = kubelet_dir
        self._plugins = plugins
        self._caller = caller
        self._settings = settings
        self._stopping = stopping

    def register(self, socket: Path, adding: Told, added: Told) -> None:
        """Register the plugin behind a socket and tell it how that went.

        `adding` is called just before it is taken in, `added` when it knows. Raises RegistrationFailed.
        """
        options = (
            ("grpc.default_authority", registration_authority(socket)),
            *backoff_options(self._settings.reconnect_backoff, self._settings.reconnect_backoff_max),
        )
        dialled = Dialled(socket, options)
        try:
            connection = _Connection(socket, dialled.channel, self._caller, self._settings)
            connection.wait_ready(self._stopping)
            added(*self._register(connection, adding))
        finally:
            dialled.close()

    def _register(self, connection: "_Connection", adding: Told) -> tuple[str, str, str]:
        socket = connection.socket
        info = connection.get_info()
        endpoint = self._located(info.endpoint) or str(socket)
        if info.type != PLUGIN_TYPE and info.type not in othertypes.VALIDATIONS:
            connection.refuse(f"{_PREFIX} no handler registered for plugin type: {info.type} at socket {socket}")
        try:
            othertypes.VALIDATIONS.get(info.type, choose_service)(info.name, endpoint, info.supported_versions)
        except PluginError as error:
            connection.refuse(f"{_PREFIX} plugin validation failed with err: {error}")
        adding(info.type, info.name, endpoint)
        plugin: Plugin | None = None
        try:
            if info.type == PLUGIN_TYPE:
                plugin = self._plugins.add(Registration(info.name, endpoint, tuple(info.supported_versions), socket))
        except PluginError as error:
            connection.refuse(f"{_PREFIX} plugin registration failed with err: {error}")
        try:
            connection.notify(True, "")
        except RpcFailed as error:
            if plugin is not None:
                self._plugins.remove(info.name, endpoint)
            raise RegistrationFailed(
                f"{_PREFIX} failed to send registration status at socket {socket}, err: : {error}"
            ) from None
        if plugin is not None:
            self._plugins.confirm(plugin)
        return info.type, info.name, endpoint

    def _located(self, endpoint: str) -> str:
        """Where the endpoint is on this machine."""
        scheme = "unix:" if endpoint.startswith("unix:") else ""
        path = endpoint.removeprefix(scheme)
        below = path.removeprefix(KUBELET_DIR)
        return f"{scheme}{self._kubelet_dir}/{below}" if below != path else endpoint


class _Connection:
    """The connection to one registration socket, closed by who made it."""

    def __init__(self, socket: Path, channel: grpc.Channel, caller: Caller, settings: KubeletSettings) -> None:
        self.socket = socket
        self._channel = channel
        self._caller = caller
        self._settings = settings
        self._stub: Any = stubs.RegistrationStub(channel)
        self._driver = ""

    def wait_ready(self, stopping: threading.Event) -> None:
        """Wait until it is connected. Raises RegistrationFailed after the dial time-out or when the kubelet stops."""
        if not wait_ready(self._channel, self._settings.dial_timeout, stopping):
            reason = f"failed to dial socket {self.socket}, err: context deadline exceeded"
            raise RegistrationFailed(f"{_PREFIX} dial failed at socket {self.socket}, err: {reason}")

    def get_info(self) -> messages.PluginInfo:
        """The plugin's PluginInfo. Raises RegistrationFailed; the plugin is not told."""
        call = self._call("GetInfo", messages.InfoRequest(), self._settings.get_info_timeout)
        try:
            info: messages.PluginInfo = self._caller.call(call, self._stub.GetInfo)
        except RpcFailed as error:
            raise RegistrationFailed(
                f"{_PREFIX} failed to get plugin info using RPC GetInfo at socket {self.socket}, err: {error}"
            ) from None
        self._driver = info.name
        return info

    def notify(self, registered: bool, error: str) -> None:
        """Tell the plugin how its registration went. Raises RpcFailed."""
        status = messages.RegistrationStatus(plugin_registered=registered, error=error)
        call = self._call("NotifyRegistrationStatus", status, self._settings.notify_timeout)
        self._caller.call(call, self._stub.NotifyRegistrationStatus)

    def refuse(self, error: str) -> None:
        """Tell the plugin why it is not registered. Always raises RegistrationFailed."""
        try:
            self.notify(False, error)
        except RpcFailed as failed:
            raise RegistrationFailed(
                f"{_PREFIX} failed to send error at socket {self.socket}, err: {error}: {failed}"
            ) from None
        raise RegistrationFailed(error)

    def _call(self, method: str, request: Any, timeout: float) -> Call:
        return Call(method, self._driver, str(self.socket), "pluginregistration.Registration", request, timeout)
