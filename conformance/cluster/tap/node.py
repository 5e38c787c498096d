"""The parts of a Node that are the same wherever a tap stands between kubelet and drivers."""

from collections.abc import Sequence
from pathlib import Path

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.kubelet.direct import DirectCalls
from conformance.cluster.kubelet.dra import PREPARE, UNPREPARE
from conformance.cluster.kubelet.rpc import Caller, Interceptor, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.protocol import PluginInfo, Registration
from conformance.cluster.tap.tap import Tap
from conformance.verdict import WaitTimeout


class TappedNode:
    """Registrations as the tap sees them, and calls on the connections that it has."""

    tap: Tap

    def __init__(self, name: str, caller: Caller, settings: KubeletSettings) -> None:
        self.name = name
        self.caller = caller
        self.settings = settings
        self.direct = DirectCalls(caller, settings)

    @property
    def interceptors(self) -> list[Interceptor]:
        """Functions around each call to a driver; change the list to begin or end a disturbance."""
        return self.caller.interceptors

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Registered instances of the driver, oldest first."""
        return self.tap.registrations(driver)

    def wait_registered(self, driver: str, *, count: int = 1, timeout: float = 30) -> Sequence[Registration]:
        """Wait until exactly `count` instances are registered. Raises WaitTimeout with what was seen instead."""
        if not self.tap.plugins.wait(lambda: len(self.tap.plugins.confirmed(driver)) == count, timeout):
            raise WaitTimeout(
                f"waited {timeout:g} s for {count} registered instance(s) of {driver} on node {self.name}; "
                f"seen instead: {len(self.registrations(driver))}"
            )
        return self.registrations(driver)

    def prepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """NodePrepareResources outside any pod, on the newest connected instance."""
        return self.direct.call(self.tap.plugins, PREPARE, claims, driver, timeout, _service(version))

    def unprepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """NodeUnprepareResources outside any pod; otherwise as `prepare`."""
        return self.direct.call(self.tap.plugins, UNPREPARE, claims, driver, timeout, _service(version))

    def get_info(self, socket: Path) -> PluginInfo:
        """GetInfo on a driver's registration socket, on a connection of its own."""
        try:
            info = self.direct.get_info(socket)
        except RpcFailed as error:
            return PluginInfo(error=str(error))
        versions = tuple(info.get("supported_versions", ()))
        return PluginInfo(info.get("type", ""), info.get("name", ""), info.get("endpoint", ""), versions)


def _service(version: str | None) -> str:
    return f"{version}.DRAPlugin" if version else ""
