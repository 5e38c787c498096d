"""Our kubelet in the place of a real one, which nobody can look into: a node is called from outside of it.

What the kubelet does goes into a history of its own, so that checks see what is seen from outside only.
"""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.api import Api
from conformance.cluster.direct.calling import CallingNode, Drivers
from conformance.cluster.kubelet import Interceptor, Kubelet, KubeletSettings
from conformance.cluster.kubelet.direct import DirectCalls
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.protocol import PluginInfo, Registration
from conformance.history import History


class OutsideKubelet(Kubelet):
    """A node: pods and containers by the kubelet, registrations and calls by who stands outside."""

    def __init__(self, name: str, root: Path, api: Api, history: History, settings: KubeletSettings) -> None:
        super().__init__(name, root, api, History(), settings)
        self.outside = CallingNode(name, Caller(name, history), settings)

    @abstractmethod
    def find_drivers(self) -> Drivers:
        """What stands outside, not started."""

    @property
    def direct(self) -> DirectCalls:
        """Calls past the kubelet."""
        return self.outside.direct

    @property
    def interceptors(self) -> list[Interceptor]:
        """Functions around each call from outside."""
        return self.outside.caller.interceptors

    def start(self) -> None:
        """Start the kubelet, then look at it from outside."""
        self.start_kubelet()
        self.outside.drivers = self.find_drivers()
        self.outside.drivers.start()

    def stop(self) -> None:
        """Stop both. May be called twice."""
        if self.running:
            self.outside.drivers.stop()
        super().stop()

    def restart_kubelet(self) -> None:
        """What is outside stays."""
        super().stop()
        self.outside.drivers.forget()
        self.start_kubelet()

    def start_kubelet(self) -> None:
        """Start the kubelet alone."""
        super().start()

    def registrations(self, driver: str) -> Sequence[Registration]:
        """As they are seen from outside."""
        return self.outside.registrations(driver) if self.running else ()

    def wait_registered(self, driver: str, *, count: int = 1, timeout: float = 30) -> Sequence[Registration]:
        """As they are seen from outside."""
        return self.outside.wait_registered(driver, count=count, timeout=timeout)

    def prepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """From outside."""
        return self.outside.prepare(*claims, driver=driver, version=version, timeout=timeout)

    def unprepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """From outside."""
        return self.outside.unprepare(*claims, driver=driver, version=version, timeout=timeout)

    def get_info(self, socket: Path, *, authority: str = "") -> PluginInfo:
        """From outside."""
        return self.outside.get_info(socket, authority=authority)

    def notify(self, socket: Path, *, refused: str = "") -> str:
        """From outside."""
        return self.outside.notify(socket, refused=refused)
