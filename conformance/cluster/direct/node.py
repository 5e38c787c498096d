"""The parts of a Node whose kubelet and drivers have nothing between them."""

from collections.abc import Callable
from pathlib import Path

from conformance.cluster.direct.calling import CallingNode
from conformance.cluster.direct.registry import Registry


class DirectNode(CallingNode):
    """Registrations are what answers behind the sockets of the kubelet's registry; its own calls are not seen."""

    sees_calls = False
    drivers: Registry

    def look_at(self, registry: Path, host_path: Callable[[str], Path]) -> None:
        """Begin to look at a registry folder; `stop_looking` ends it, and both may be done again. Raises OSError.

        `registry`: as seen from here; `host_path`: where a path that a driver names is seen from here.
        """
        self.drivers = Registry(registry, host_path, self.caller, self.settings)
        self.drivers.start()

    def stop_looking(self) -> None:
        """End all connections to drivers."""
        self.drivers.stop()
