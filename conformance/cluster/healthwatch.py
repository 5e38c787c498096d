"""A health stream of one's own, as the kubelet opens one: what a driver reports of its devices, as it comes."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from conformance.cluster.cluster import Cluster
from conformance.cluster.kubelet.health import HEALTH_SERVICES, METHOD
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed, ended_by_kubelet
from conformance.cluster.kubelet.sockets import Dialled
from conformance.cluster.protocol import Registration
from conformance.verdict import Inconclusive

HEALTHY, UNHEALTHY = 1, 2
Key = tuple[str, str]
"""Pool and device."""


@dataclass(frozen=True)
class DeviceReport:
    """What one message, by its number on the stream, says of one device.

    timeout: seconds after which it is to be forgotten, 0 for the default.
    """

    number: int
    health: int
    timeout: int


class HealthStream:
    """What came on one stream so far. `ended`: its gRPC status when the driver has ended it, "" while it is open."""

    def __init__(self) -> None:
        self.ended = ""
        self.messages = 0
        self._devices: dict[Key, list[DeviceReport]] = {}
        self._news = threading.Condition()

    def latest(self) -> Mapping[Key, DeviceReport]:
        """The last report of each device."""
        with self._news:
            return {key: rows[-1] for key, rows in self._devices.items()}

    def reports(self, key: Key) -> list[DeviceReport]:
        """All reports of a device, in order."""
        with self._news:
            return list(self._devices.get(key, ()))

    def says(self, key: Key, health: int) -> bool:
        """Whether the last report of a device says this."""
        report = self.latest().get(key)
        return report is not None and report.health == health

    def wait(self, condition: Callable[[], object], timeout: float) -> bool:
        """Wait until the condition, asked after each message, holds; whether it did within `timeout` seconds."""
        with self._news:
            return bool(self._news.wait_for(lambda: condition() or self.ended, timeout)) and bool(condition())

    def take(self, response: Any) -> None:
        """A message came."""
        with self._news:
            self.messages += 1
            for row in response.devices:
                key = (row.device.pool_name, row.device.device_name)
                report = DeviceReport(self.messages, row.health, row.health_check_timeout_seconds)
                self._devices.setdefault(key, []).append(report)
            self._news.notify_all()

    def end(self, status: str) -> None:
        """The driver ended it."""
        with self._news:
            self.ended = status
            self._news.notify_all()


def health_services(cluster: Cluster) -> list[str]:
    """Health services that the newest instance advertises, in the kubelet's order of preference."""
    advertised = _newest(cluster).supported_versions
    return [service for service in HEALTH_SERVICES if service in advertised]


@contextmanager
def health_stream(cluster: Cluster, service: str) -> Iterator[HealthStream]:
    """Inside the block a stream is open, on a connection of its own; at its end it is cancelled."""
    messages, stubs = HEALTH_SERVICES[service]
    registered = _newest(cluster)
    endpoint = cluster.node.host_path(registered.endpoint) if registered.endpoint else registered.socket
    stream, caller = HealthStream(), Caller(cluster.node.name, cluster.history)
    driver = cluster.target.driver_name
    call = Call(METHOD, driver, str(endpoint), service, messages.NodeWatchResourcesRequest(), 0, "check")
    with Dialled(endpoint) as channel:
        method = stubs.DRAResourceHealthStub(channel).NodeWatchResources
        reader = threading.Thread(target=_read, args=(caller, call, method, stream), daemon=True)
        reader.start()
        try:
            yield stream
        finally:
            caller.close()
            reader.join()


def _read(caller: Caller, call: Call, method: Any, stream: HealthStream) -> None:
    try:
        caller.stream(call, method, stream.take)
        stream.end("OK")
    except RpcFailed as error:
        if not ended_by_kubelet(error.code, error.details):
            stream.end(f"{error.code}: {error.details}")


def _newest(cluster: Cluster) -> Registration:
    registered = cluster.node.registrations(cluster.target.driver_name)
    if not registered:
        raise Inconclusive(f"driver {cluster.target.driver_name} is not registered")
    return registered[-1]
