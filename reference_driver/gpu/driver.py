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

from . import metadata, offers
from .config import GpuConfig
from .features import Features
from .topology import Topology

DRIVER_NAME = "gpu.example.com"
COMPUTE = "100"
"""Computing power of a GPU, in hundredths of it."""


class GpuDriver(Driver):
    """GPUs of one node, in one pool named like the node. `gpus` may be replaced at any time; publish afterwards."""

    cdi_class = "gpu"
    features = Features()

    def __init__(self, name: str, node: str, gpus: Sequence[Gpu]) -> None:
        super().__init__(name, node)
        self.gpus = gpus
        self._named: tuple[Sequence[Gpu], Mapping[str, Gpu]] = (), {}
        self._topology: tuple[Sequence[Gpu], Topology] = (), Topology((), node)
        self._made: tuple[Sequence[Gpu] | None, Mapping[str, Pool]] = None, {}

    def switch(self, features: Features) -> None:
        """Switch features on or off, before anything is published."""
        self.features = features
        self._made = None, {}
        self.sets_binding_conditions = self.sets_binding_conditions or features.binding_conditions

    def pools(self) -> Mapping[str, Pool]:
        """One pool, also when it is empty: the driver is up, and has nothing. Made once for the GPUs that there are."""
        gpus, made = self._made
        if gpus is not self.gpus:
            gpus, parts = self.gpus, self.features.partitions
            counters = [offers.counters(gpu.name, gpu.memory, parts) for gpu in gpus] if parts else ()
            made = {self.node: Pool([device for gpu in gpus for device in self.devices(gpu)], counters)}
            self._made = gpus, made
        return made

    def devices(self, gpu: Gpu) -> Sequence[Device]:
        """All that is published of a GPU: itself, and its parts where it has any."""
        return self.features.devices(gpu, self.device(gpu))

    def device(self, gpu: Gpu) -> Device:
        """A GPU as it is published, by itself."""
        attributes: dict[str, int | bool | str | Version] = {
            "type": "gpu",
            "index": gpu.index,
            "uuid": metadata.text(gpu.uuid),
            "model": metadata.text(gpu.model),
            "driverVersion": metadata.version(gpu.driver_version),
            "architecture": metadata.text(gpu.product.architecture),
            "cudaComputeCapability": metadata.version(gpu.product.compute_capability),
            **self.topology().attributes(gpu),
        }
        return Device(gpu.name, attributes, {"memory": gpu.memory, "compute": COMPUTE})

    def topology(self) -> Topology:
        """Where the GPUs are, as they are now."""
        gpus, known = self._topology
        if gpus is not self.gpus:
            gpus = self.gpus
            known = Topology(gpus, self.node)
            self._topology = gpus, known
        return known

    def health(self) -> Sequence[DeviceHealth]:
        """GPUs tell at once what ails them; what ails a GPU ails its parts."""
        faults = {gpu.name: gpu.fault for gpu in self.gpus}
        rows = [(pool, device.name) for pool, made in self.pools().items() for device in made.devices]
        named = ((pool, name, offers.gpu_name(name)) for pool, name in rows)
        return [DeviceHealth(pool, name, not faults[gpu], faults[gpu]) for pool, name, gpu in named if gpu in faults]

    def ailment(self, device: AllocatedDevice) -> str | None:
        """What ails its GPU; health is looked through only where something does."""
        gpu = self.gpu(device)
        return super().ailment(device) if gpu and gpu.fault else None

    def overlapping(self, device: AllocatedDevice) -> Sequence[str]:
        """A GPU and its parts are the same hardware; parts are not each other's."""
        gpu = offers.gpu_name(device.device)
        if gpu != device.device:
            return [gpu]
        return [offers.part_name(gpu, number) for number in range(self.features.partitions)]

    def facts(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """Which GPU it is, or is a part of."""
        found = self.gpu(device)
        return {"uuid": found.uuid} if found else {}

    def gpu(self, device: AllocatedDevice) -> Gpu | None:
        """The GPU that a device is, or is a part of; None when it is gone."""
        gpus, named = self._named
        if gpus is not self.gpus:
            gpus = self.gpus
            named = {gpu.name: gpu for gpu in gpus}
            self._named = gpus, named
        return named.get(offers.gpu_name(device.device))

    def check(self, claim: Claim) -> None:
        """Every device must be in the inventory as it is now."""
        for device in claim.devices:
            gpu = self.gpu(device)
            if device.pool != self.node or not gpu or device.device not in self.features.names(gpu):
                raise ClaimError(
                    f"device {device.device} of pool {device.pool}, allocated to claim {claim.ref},"
                    f" does not exist on node {self.node}"
                )

    def prepare(self, claim: Claim) -> Preparation:
        """Environment for every GPU, by the last configuration that applies to it."""
        for config in claim.configs:
            GpuConfig.decode(config.parameters)  # also one that another overrides must be valid
        for device in claim.devices:
            if device.admin_access and not self.features.admin_access:
                raise ClaimError(
                    f"device {device.device} of pool {device.pool}: there is no admin access on node {self.node}"
                )
        common = ContainerEdits([f"KUBERNETES_NODE_NAME={self.node}", f"DRA_RESOURCE_DRIVER_NAME={self.name}"])
        return Preparation([self.edits(claim, device) for device in claim.devices], common)

    def edits(self, claim: Claim, device: AllocatedDevice) -> ContainerEdits:
        """What a container gets for one device.

        Names hold what tells the device, and the share of it, from all others that a container may have.
        """
        label = device.device.removeprefix("gpu-").replace("-", "_").upper()
        env = [f"GPU_DEVICE_{label}={device.device}"]
        if device.share_id:
            label += f"_SHARE_{device.share_id.replace('-', '_').upper()}"
        env.append(f"GPU_DEVICE_GPU_{label}_RESOURCE_CLAIM={claim.uid}")
        env += [f"GPU_DEVICE_{label}_{name.upper()}={amount}" for name, amount in device.consumed_capacity.items()]
        env += self.config(claim, device).env(f"GPU_DEVICE_{label}")
        return ContainerEdits(env + (["DRA_ADMIN_ACCESS=true"] if device.admin_access else []))

    def config(self, claim: Claim, device: AllocatedDevice) -> GpuConfig:
        """The last configuration that applies to a device wins; the default when there is none."""
        configs = claim.configs_for(device)
        return GpuConfig.decode(configs[-1].parameters) if configs else GpuConfig()
