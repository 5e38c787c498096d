"""Health of devices as drivers report it: the stream of each plugin, and what is known now (healthinfo.go)."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from conformance.cluster.dra_api import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
)
from conformance.cluster.kubelet import healthfile
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings

HEALTH_SERVICES: dict[str, tuple[Any, Any]] = {
    "v1.DRAResourceHealth": (dra_health_v1_pb2, dra_health_v1_pb2_grpc),
    "v1alpha1.DRAResourceHealth": (dra_health_v1alpha1_pb2, dra_health_v1alpha1_pb2_grpc),
}
"""Health services in the kubelet's order of preference."""

METHOD = "NodeWatchResources"
_STATUSES = {1: "Healthy", 2: "Unhealthy"}
_LONGEST_MESSAGE = 1024  # bytes
_MOST_DEVICES = 16384


@dataclass(frozen=True)
class DeviceHealth:
    """Healthy, Unhealthy or Unknown; heard of at `received` (monotonic), to be trusted for `timeout` (both seconds)."""

    status: str = "Unknown"
    message: str = ""
    received: float = 0.0
    timeout: float = 0.0

    def says_the_same(self, other: "DeviceHealth | None") -> bool:
        """Whether nothing but the time differs."""
        return other is not None and (self.status, self.message, self.timeout) == (
            other.status,
            other.message,
            other.timeout,
        )


UNKNOWN = DeviceHealth()


class HealthBook:
    """What is known of devices; `changed` is told the driver whenever something becomes different.

    file: where it is kept over restarts of the kubelet; None: nowhere.
    """

    def __init__(self, default_timeout: float, changed: Callable[[str], None], file: Path | None = None) -> None:
        self._default_timeout = default_timeout
        self._changed = changed
        self._file = file
        self._frozen = False
        self._lock = threading.Lock()
        self._drivers = {} if file is None else _loaded(file)

    def freeze(self) -> None:
        """Take in nothing more and forget nothing: the kubelet stops."""
        with self._lock:
            self._frozen = True

    def get(self, driver: str, pool: str, device: str) -> DeviceHealth:
        """A device's health; unknown when it was not reported, or not lately."""
        return self.all(driver).get((pool, device), UNKNOWN)

    def all(self, driver: str) -> Mapping[tuple[str, str], DeviceHealth]:
        """Health by (pool, device) of what the driver reported; unknown where that is too long ago."""
        now = time.monotonic()
        with self._lock:
            known = dict(self._drivers.get(driver, {}))
        return {key: UNKNOWN if now - h.received > h.timeout else h for key, h in known.items()}

    def report(self, driver: str, response: Any) -> None:
        """Take in a message of the stream. It may be partial: devices that are missing only grow older."""
        now = time.monotonic()
        different = dropped = False
        with self._lock:
            if self._frozen:
                return
            known = self._drivers.setdefault(driver, {})
            for row in response.devices:
                key, new = (row.device.pool_name, row.device.device_name), self._health(row, now)
                if key in known or len(known) < _MOST_DEVICES:
                    different |= not new.says_the_same(known.get(key))
                    known[key] = new
            for key in [key for key, h in known.items() if now - h.received > h.timeout]:
                different |= known.pop(key).status != "Unknown"
                dropped = True
            if different or dropped:
                self._save()
        if different:
            self._changed(driver)

    def clear(self, driver: str) -> None:
        """Forget a driver: its stream has ended."""
        with self._lock:
            if self._frozen:
                return
            known = self._drivers.pop(driver, None)
            self._save()
        if known:
            self._changed(driver)

    def _save(self) -> None:
        if self._file is not None:
            shift = time.time() - time.monotonic()
            healthfile.store(
                self._file,
                {
                    driver: [
                        healthfile.Row(*key, health.status, health.received + shift, health.timeout, health.message)
                        for key, health in known.items()
                    ]
                    for driver, known in self._drivers.items()
                },
            )

    def _health(self, row: Any, now: float) -> DeviceHealth:
        timeout = float(row.health_check_timeout_seconds)
        message = row.message.encode()
        if len(message) > _LONGEST_MESSAGE:
            message = message[: _LONGEST_MESSAGE - 3] + b"..."
        return DeviceHealth(
            _STATUSES.get(row.health, "Unknown"),
            message.decode(errors="ignore"),
            now,
            timeout if timeout > 0 else self._default_timeout,
        )


def _loaded(file: Path) -> dict[str, dict[tuple[str, str], DeviceHealth]]:
    shift = time.time() - time.monotonic()
    return {
        driver: {
            (row.pool, row.device): DeviceHealth(row.status, row.message, row.updated - shift, row.timeout)
            for row in rows
        }
        for driver, rows in healthfile.load(file).items()
    }


class HealthWatch:
    """The health stream of one plugin, opened again when it ends, on the plugin's own connection."""

    def __init__(
        self,
        driver: str,
        endpoint: str,
        service: str,
        channel: grpc.Channel,
        caller: Caller,
        book: HealthBook,
        settings: KubeletSettings,
    ) -> None:
        messages, stubs = HEALTH_SERVICES[service]
        self._call = Call(METHOD, driver, endpoint, service, messages.NodeWatchResourcesRequest(), 0)
        self._method = stubs.DRAResourceHealthStub(channel).NodeWatchResources
        self._caller = caller
        self._book = book
        self._retry = settings.health_retry
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"health {endpoint}", daemon=True)

    def start(self) -> None:
        """Open the stream."""
        self._thread.start()

    def stopping(self) -> None:
        """Do not open it again; the connection is about to be closed."""
        self._stop.set()

    def join(self) -> None:
        """Wait for the end, after the connection was closed."""
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._caller.stream(self._call, self._method, lambda r: self._book.report(self._call.driver, r))
            except RpcFailed as error:
                if error.code == "UNIMPLEMENTED":
                    return
            finally:
                self._book.clear(self._call.driver)
            self._stop.wait(self._retry)
