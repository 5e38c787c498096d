"""One registered plugin: an instance of a driver, and the connection to it (dra_plugin.go)."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from conformance.cluster.answer import ClaimRef
from conformance.cluster.dra_api import dra_v1_pb2, dra_v1_pb2_grpc, dra_v1beta1_pb2, dra_v1beta1_pb2_grpc
from conformance.cluster.kubelet.connection import ConnectionWatch
from conformance.cluster.kubelet.health import HEALTH_SERVICES, HealthBook, HealthWatch
from conformance.cluster.kubelet.metrics import CALLS, Metrics
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed, go_code
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.sockets import Dialled, backoff_options
from conformance.cluster.protocol import Registration

DRA_SERVICES: dict[str, tuple[Any, Any]] = {
    "v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc),
    "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc),
}
"""Services that the kubelet can use, as plugins advertise them."""


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
        self,
        registration: Registration,
        caller: Caller,
        settings: KubeletSettings,
        book: HealthBook,
        metrics: Metrics,
        changed: Callable[["Plugin"], None],
    ) -> None:
        self.registration = registration
        self.driver = registration.driver
        self.endpoint = registration.endpoint
        self.service = choose_service(self.driver, self.endpoint, registration.supported_versions)
        self.connected = False
        self.confirmed = False
        self._caller = caller
        self._settings = settings
        self._metrics = metrics
        self._changed = changed
        options = backoff_options(settings.reconnect_backoff, settings.reconnect_backoff_max)
        self._dialled = Dialled(Path(self.endpoint.removeprefix("unix:")), options)
        self.channel = self._dialled.channel
        # Made now, while nobody can close the channel: gRPC crashes when it is closed while a method is looked up.
        self.stubs = {name: stubs.DRAPluginStub(self.channel) for name, (_, stubs) in DRA_SERVICES.items()}
        self._watch = ConnectionWatch(self.channel, self.endpoint, self._on_connection)
        self._health = self._health_watch(book)

    def connect(self) -> None:
        """Begin to connect, and keep connected: what becomes of it is told to `changed`."""
        self._watch.start()
        if self._health is not None:
            self._health.start()

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
        messages, _ = DRA_SERVICES[service]
        request = getattr(messages, f"{method}Request")(
            claims=[messages.Claim(namespace=claim.namespace, uid=claim.uid, name=claim.name) for claim in claims]
        )
        limit = self._settings.call_timeout if timeout is None else timeout
        call = Call(method, self.driver, self.endpoint, service, request, limit, source)
        began, code = time.monotonic(), "OK"
        try:
            return self._caller.call(call, getattr(self.stubs[service], method))
        except RpcFailed as error:
            code = go_code(error.code)
            raise
        finally:
            if source == "kubelet":
                full = f"/{messages.DESCRIPTOR.services_by_name['DRAPlugin'].full_name}/{method}"
                self._metrics.took(CALLS, time.monotonic() - began, self.driver, full, code)

    def close(self) -> None:
        """End the connection; may be called twice."""
        self._watch.closing()
        if self._health is not None:
            self._health.stopping()
        self._dialled.close()
        self._watch.join()
        if self._health is not None:
            self._health.join()

    def _health_watch(self, book: HealthBook) -> HealthWatch | None:
        service = next((name for name in HEALTH_SERVICES if name in self.registration.supported_versions), None)
        if service is None:
            return None
        return HealthWatch(self.driver, self.endpoint, service, self.channel, self._caller, book, self._settings)

    def _on_connection(self, connected: bool) -> None:
        self.connected = connected
        self._changed(self)
