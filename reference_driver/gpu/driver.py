"""The GPU driver: what is published of a GPU, and what a container gets for one."""

from collections.abc import Mapping, Sequence
from typing import Any

from fakegpu import Gpu
from reference_driver.plugin import (
    AllocatedDevice,
    Claim,
    ClaimError,
    ContainerEdits,
    Device,
    DeviceHealth,
    Driver,
    Pool,
    Preparation,
    Version,
)

from . import metadata
from .config import GpuConfig

DRIVER_NAME = "gpu.example.com"


class GpuDriver(Driver):
    """GPUs of one node, in one pool named like the node. `gpus` may be replaced at any time; publish afterwards."""

    cdi_class = "gpu"

    def __init__(self, name: str, node: str, gpus: Sequence[Gpu]) -> None:
        super().__init__(name, node)
        self.gpus = gpus

    def pools(self) -> Mapping[str, Pool]:
        """One pool, also when it is empty: the driver is up, and has nothing."""
        return {self.node: Pool([self.device(gpu) for gpu in self.gpus])}

    def device(self, gpu: Gpu) -> Device:
        """A GPU as it is published."""
        attributes: dict[str, int | str | Version] = {
            "index": gpu.index,
            "uuid": metadata.text(gpu.uuid),
            "model": metadata.text(gpu.model),
            "driverVersion": metadata.version(gpu.driver_version),
        }
        return Device(gpu.name, attributes, {"memory": gpu.memory})

    def health(self) -> Sequence[DeviceHealth]:
        """GPUs tell at once what ails them."""
        faults = {gpu.name: gpu.fault for gpu in self.gpus}
        rows = (
            (pool, device.name, self.gpu_of(device)) for pool, made in self.pools().items() for device in made.devices
        )
        return [DeviceHealth(pool, name, not faults[gpu], faults[gpu]) for pool, name, gpu in rows if gpu in faults]

    def gpu_of(self, device: Device) -> str:
        """Name of the GPU that a device is, or is a part of."""
        return device.name

    def ailment(self, device: AllocatedDevice) -> str | None:
        """Seldom asked in vain: GPUs are mostly well."""
        return super().ailment(device) if any(gpu.fault for gpu in self.gpus) else None

    def facts(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """Which GPU it is."""
        found = next((gpu for gpu in self.gpus if gpu.name == device.device), None)
        return {"uuid": found.uuid} if found else {}

    def attributes(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """The same as is published."""
        return next((self.device(gpu).attributes for gpu in self.gpus if gpu.name == device.device), {})

    def check(self, claim: Claim) -> None:
        """Every device must be in the inventory as it is now."""
        names = {gpu.name for gpu in self.gpus}
        for device in claim.devices:
            if device.pool != self.node or device.device not in names:
                raise ClaimError(
                    f"device {device.device} of pool {device.pool}, allocated to claim {claim.ref},"
                    f" does not exist on node {self.node}"
                )

    def prepare(self, claim: Claim) -> Preparation:
        """Environment for every GPU, by the last configuration that applies to it."""
        for config in claim.configs:
            GpuConfig.decode(config.parameters)  # also one that another overrides must be valid
        common = ContainerEdits([f"KUBERNETES_NODE_NAME={self.node}", f"DRA_RESOURCE_DRIVER_NAME={self.name}"])
        return Preparation([self.edits(claim, device) for device in claim.devices], common)

    def edits(self, claim: Claim, device: AllocatedDevice) -> ContainerEdits:
        """What a container gets for one device; names hold the index, so that several devices do not collide."""
        index = device.device.removeprefix("gpu-").replace("-", "_").upper()  # MIG devices have more than a number
        env = [f"GPU_DEVICE_{index}={device.device}", f"GPU_DEVICE_GPU_{index}_RESOURCE_CLAIM={claim.uid}"]
        env += self.config(claim, device).env(f"GPU_DEVICE_{index}")
        return ContainerEdits(env + (["DRA_ADMIN_ACCESS=true"] if device.admin_access else []))

    def config(self, claim: Claim, device: AllocatedDevice) -> GpuConfig:
        """The last configuration that applies to a device wins; the default when there is none."""
        configs = claim.configs_for(device)
        return GpuConfig.decode(configs[-1].parameters) if configs else GpuConfig()
