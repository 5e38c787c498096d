"""The parts of a Node that are the same wherever drivers are called from outside the kubelet, with a tap or without."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.kubelet.direct import DirectCalls
from conformance.cluster.kubelet.dra import PREPARE, UNPREPARE
from conformance.cluster.kubelet.plugins import Plugins
from conformance.cluster.kubelet.rpc import Caller, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.protocol import PluginInfo, Registration
from conformance.verdict import WaitTimeout


class Drivers(Protocol):
    """The drivers of a node, and the connections to them: a Tap, or a Registry that is only read."""

    plugins: Plugins

    def start(self) -> None:
        """Begin to look for drivers. Raises OSError."""
        ...

    def stop(self) -> None:
        """End all connections. May be called twice."""
        ...

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Registered instances of a driver, oldest first."""
        ...

    def forget(self) -> None:
        """The kubelet was stopped."""
        ...


class CallingNode:
    """Registrations as `drivers` knows them, and calls on the connections that it has."""

    drivers: Drivers
    changes_boot_id = False  # such nodes share a machine's kernel, or are machines whose boot is not ours to see

    def __init__(self, name: str, caller: Caller, settings: KubeletSettings) -> None:
        self.name = self.hostname = name
        self.caller = caller
        self.settings = settings
        self.direct = DirectCalls(caller, settings)

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Registered instances of the driver, oldest first."""
        return self.drivers.registrations(driver)

    def wait_registered(self, driver: str, *, count: int = 1, timeout: float = 30) -> Sequence[Registration]:
        """Wait until exactly `count` instances are registered. Raises WaitTimeout with what was seen instead."""
        if not self.drivers.plugins.wait(lambda: len(self.registrations(driver)) == count, timeout):
            raise WaitTimeout(
                f"waited {timeout:g} s for {count} registered instance(s) of {driver} on node {self.name}; "
                f"seen instead: {len(self.registrations(driver))}"
            )
        return self.registrations(driver)

    def prepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """NodePrepareResources outside any pod, on the newest connected instance."""
        return self.direct.call(self.drivers.plugins, PREPARE, claims, driver, timeout, _service(version))

    def unprepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """NodeUnprepareResources outside any pod; otherwise as `prepare`."""
        return self.direct.call(self.drivers.plugins, UNPREPARE, claims, driver, timeout, _service(version))

    def get_info(self, socket: Path, *, authority: str = "") -> PluginInfo:
        """GetInfo on a driver's registration socket, on a connection of its own."""
        try:
            info = self.direct.get_info(socket, authority=authority)
        except RpcFailed as error:
            return PluginInfo(error=str(error))
        versions = tuple(info.get("supported_versions", ()))
        return PluginInfo(info.get("type", ""), info.get("name", ""), info.get("endpoint", ""), versions)

    def notify(self, socket: Path, *, refused: str = "") -> str:
        """NotifyRegistrationStatus on a registration socket, on a connection of its own; the error, "" without any."""
        try:
            self.direct.notify(socket, not refused, refused)
        except RpcFailed as error:
            return str(error)
        return ""


def _service(version: str | None) -> str:
    return f"{version}.DRAPlugin" if version else ""
