"""The GPU driver with what NVML tells: what is published, what containers get, what is set for a claim."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reference_driver.gpu.driver import GpuDriver
from reference_driver.plugin import (
    AllocatedDevice,
    Claim,
    ClaimError,
    ClaimRecord,
    ContainerEdits,
    DeviceHealth,
    Pool,
    Preparation,
)

from . import devices, sharing
from .cdi import Injection
from .facts import GpuFacts, MigFacts
from .monitor import STALE, Monitor
from .options import NvmlOptions


class NvmlDriver(GpuDriver):
    """GPUs of one node as the monitor last saw them; it asks NVML nothing itself, but for what it sets."""

    def __init__(self, name: str, node: str, monitor: Monitor, options: NvmlOptions) -> None:
        super().__init__(name, node, ())
        self._monitor = monitor
        self._options = options
        self._injection = Injection(options)

    def survey(self) -> None:
        """Look through the driver root now, so that the first claim need not wait, and the log says what is missing."""
        for gpu in self._monitor.snapshot.gpus[:1]:
            self._injection.installation(gpu.driver_version)

    def pools(self) -> Mapping[str, Pool]:
        """One pool, also when it is empty: the driver is up, and has nothing."""
        return {self.node: devices.pool(self._monitor.snapshot.gpus)}

    def health(self) -> Sequence[DeviceHealth]:
        """Every device was looked at, or nobody can vouch for any."""
        now = self._monitor.snapshot
        hangs = f"NVML has not answered for {STALE:.0f} s" if self._monitor.stale else ""
        faults = {name: now.ailments.get(name) or hangs for name in now.parts}
        return [DeviceHealth(self.node, name, not fault, fault) for name, fault in faults.items()]

    def ailment(self, device: AllocatedDevice) -> str | None:
        """What ails it, as published."""
        return self._monitor.snapshot.ailments.get(device.device)

    def facts(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """Which GPU or MIG device it is, for the claim's status."""
        found = self._monitor.snapshot.parts.get(device.device)
        if not found:
            return {}
        gpu, mig = found
        return {"uuid": mig.uuid if mig else gpu.uuid, "parentUUID": gpu.uuid, "pciBusID": gpu.bus_id}

    def attributes(self, device: AllocatedDevice) -> Mapping[str, Any]:
        """The same as is published."""
        found = self._monitor.snapshot.parts.get(device.device)
        return devices.attributes(*found) if found else {}

    def check(self, claim: Claim) -> None:
        """Every device must be there as the GPUs are now."""
        for device in claim.devices:
            self._part(device)

    def prepare(self, claim: Claim) -> Preparation:
        """Beside the environment: nodes of each device, and once for the claim what containers need of the driver."""
        plan = super().prepare(claim)
        gpu, _ = self._part(claim.devices[0])
        common = plan.common.plus(self._injection.common(gpu.driver_version))
        return replace(plan, common=common, data=self._data(claim))

    def edits(self, claim: Claim, device: AllocatedDevice) -> ContainerEdits:
        """Environment and nodes of a device."""
        return super().edits(claim, device).plus(self._injection.device(*self._part(device)))

    def apply(self, record: ClaimRecord) -> None:
        """Set compute modes."""
        sharing.apply(self._monitor.library, record.data)

    def undo(self, record: ClaimRecord) -> None:
        """Set them back."""
        sharing.undo(self._monitor.library, record.data)

    def _data(self, claim: Claim) -> dict[str, Any]:
        """MIG devices have no compute mode, and who only looks on (admin access) changes nothing."""
        if not self._options.set_compute_mode:
            return {}
        found = [(device, *self._part(device)) for device in claim.devices if not device.admin_access]
        configs = {gpu.bus_id: self.config(claim, device) for device, gpu, mig in found if not mig}
        return sharing.planned(self._monitor.library, configs)

    def _part(self, device: AllocatedDevice) -> tuple[GpuFacts, MigFacts | None]:
        found = self._monitor.snapshot.parts.get(device.device)
        if device.pool != self.node or not found:
            raise ClaimError(f"device {device.device} of pool {device.pool} does not exist on node {self.node}")
        return found
