"""Health of devices: told to the kubelet on the stream that it opens, and to the scheduler by taints."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .dra_api import dra_health_v1_pb2, dra_health_v1_pb2_grpc, dra_health_v1alpha1_pb2, dra_health_v1alpha1_pb2_grpc
from .driver import DeviceHealth, Driver
from .pools import Pool

REFRESH = 1.0  # seconds between reports when nothing changes
TIMEOUT = 15  # seconds without a report after which the kubelet no longer knows
TAINT = "unhealthy"
"""Name of the taint on sick devices, in the domain that the driver is named by."""
_STATUS = {None: 0, True: 1, False: 2}  # UNKNOWN, HEALTHY, UNHEALTHY


@dataclass(frozen=True)
class HealthVersion:
    """One version of the health API: the name to announce, its messages, and how to add a servicer to a server."""

    name: str
    messages: Any
    add_to_server: Callable[[Any, Any], None]


VERSIONS = (
    HealthVersion(
        "v1.DRAResourceHealth",
        dra_health_v1_pb2,
        dra_health_v1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
    HealthVersion(
        "v1alpha1.DRAResourceHealth",
        dra_health_v1alpha1_pb2,
        dra_health_v1alpha1_pb2_grpc.add_DRAResourceHealthServicer_to_server,
    ),
)


class HealthMonitor:
    """Reports of a driver's health for any number of watchers; with `enabled` false it is not offered to any."""

    enabled = True

    def __init__(self, driver: Driver, versions: Sequence[HealthVersion] = VERSIONS) -> None:
        self.driver = driver
        self.refresh = REFRESH
        self.timeout = TIMEOUT
        self._offered = versions
        self._news = threading.Condition()
        self._changes = 0
        self._stopping = False

    @property
    def versions(self) -> list[str]:
        """Names of the services to announce: none where the driver knows nothing of its devices' health."""
        offered = self.enabled and self.driver.health() is not None
        return [version.name for version in self._offered] if offered else []

    def add_to(self, server: Any) -> None:
        """Serve it on a gRPC server that has not started."""
        for version in self._offered if self.versions else ():
            version.add_to_server(HealthServicer(self, version.messages), server)

    def changed(self) -> None:
        """The health of a device may have changed: tell all watchers."""
        with self._news:
            self._changes += 1
            self._news.notify_all()

    def stop(self) -> None:
        """End all streams."""
        self._stopping = True
        self.changed()

    def reports(self, watched: Callable[[], bool]) -> Iterator[Sequence[DeviceHealth]]:
        """The health now, after every change and from time to time, for as long as somebody watches."""
        seen = self._await_news(-1, watched)
        while not self._stopping and watched():
            yield self.report()
            seen = self._await_news(seen, watched)

    def _await_news(self, seen: int, watched: Callable[[], bool]) -> int:
        with self._news:
            self._news.wait_for(lambda: self._stopping or self._changes != seen or not watched(), self.refresh)
            return self._changes

    def report(self) -> Sequence[DeviceHealth]:
        """What is told of the devices now."""
        return self.driver.health() or ()


class HealthServicer:
    """NodeWatchResources with the messages of one API version."""

    def __init__(self, monitor: HealthMonitor, messages: Any) -> None:
        self.monitor = monitor
        self._messages = messages

    def NodeWatchResources(self, _request: Any, context: Any) -> Iterator[Any]:
        """Messages until the kubelet cancels."""
        context.add_callback(self.monitor.changed)
        for report in self.monitor.reports(context.is_active):
            yield self._messages.NodeWatchResourcesResponse(devices=[self._message(device) for device in report])

    def _message(self, health: DeviceHealth) -> Any:
        return self._messages.DeviceHealth(
            device=self._messages.DeviceIdentifier(pool_name=health.pool, device_name=health.device),
            health=_STATUS[health.healthy],
            last_updated_time=int(time.time()),
            health_check_timeout_seconds=self.monitor.timeout,
            message=health.message,
        )


def taint(driver: str) -> dict[str, str]:
    """What keeps new claims away from a sick device; claims that have it keep it."""
    return {"key": f"{driver}/{TAINT}", "effect": "NoSchedule"}


def with_taints(pools: Mapping[str, Pool], health: Sequence[DeviceHealth], driver: str) -> dict[str, Pool]:
    """The pools with a taint on each device that is sick."""
    sick = {(device.pool, device.device) for device in health if device.healthy is False}
    return {
        name: _tainted(pool, {device for where, device in sick if where == name}, driver)
        for name, pool in pools.items()
    }


def _tainted(pool: Pool, sick: set[str], driver: str) -> Pool:
    if not sick:
        return pool
    devices = [
        replace(device, extra={**device.extra, "taints": [*device.extra.get("taints", ()), taint(driver)]})
        if device.name in sick
        else device
        for device in pool.devices
    ]
    return replace(pool, devices=devices)


def tolerated(tolerations: Sequence[Mapping[str, Any]], wanted: Mapping[str, str]) -> bool:
    """Whether a claim puts up with a taint (DeviceToleration.ToleratesTaint)."""
    return any(_tolerates(toleration, wanted) for toleration in tolerations)


def _tolerates(toleration: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    if toleration.get("effect") not in (None, "", wanted["effect"]) or toleration.get("key") not in (
        None,
        "",
        wanted["key"],
    ):
        return False
    return toleration.get("operator") == "Exists" or toleration.get("value", "") == wanted.get("value", "")
