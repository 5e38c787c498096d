"""The GPU driver with another fleet: whole GPUs beside partitions, shares, GPUs on a fabric and network interfaces."""

from collections.abc import Mapping, Sequence
from typing import Any

from fakegpu import Gpu
from reference_driver.plugin import AllocatedDevice, Claim, ClaimError, Pool

from . import fleet, offers
from .driver import GpuDriver


class ExtrasDriver(GpuDriver):
    """The GPUs 0 to 3 are whole, 4 and 5 partitioned, 6 and 7 shared, others on a fabric; a pool for each kind."""

    sets_binding_conditions = True

    def pools(self) -> Mapping[str, Pool]:
        """Names of pools begin with the node's, so that pools of two nodes differ."""
        return {
            self.node: fleet.whole(self._between(0, 3)),
            f"{self.node}-partitions": fleet.partitioned(self._between(4, 5)),
            f"{self.node}-shared": fleet.shared(self._between(6, 7)),
            f"{self.node}-fabric": fleet.on_fabric(self._between(8)),
            f"{self.node}-nics": fleet.interfaces(2),
        }

    def overlapping(self, device: AllocatedDevice) -> Sequence[str]:
        """A GPU and its parts; of those that are whole there are none."""
        gpu = offers.gpu_name(device.device)
        parts = [offers.part_name(gpu, number) for number in range(fleet.PARTITIONS)]
        return parts if gpu == device.device else [gpu]

    def check(self, claim: Claim) -> None:
        """Every device must be published."""
        published = {(name, device.name) for name, pool in self.pools().items() for device in pool.devices}
        for device in claim.devices:
            if (device.pool, device.device) not in published:
                raise ClaimError(f"device {device.device} of pool {device.pool} does not exist on node {self.node}")

    def network(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """Interfaces have an address of each family, of the ranges that are set aside for documentation."""
        kind, _, number = device.device.partition("-")
        if kind != "nic":
            return {}
        host = 10 + int(number)
        return {
            "interfaceName": f"net{number}",
            "hardwareAddress": f"02:00:00:00:00:{host:02x}",
            "ips": [f"192.0.2.{host}/24", f"2001:db8::{host:x}/64"],
        }

    def _between(self, first: int, last: int | None = None) -> list[Gpu]:
        return [gpu for gpu in self.gpus if gpu.index >= first and (last is None or gpu.index <= last)]
