"""What the monitor knows of the GPUs, from one look to the next, and the snapshot that follows from it."""

import time
from collections.abc import Mapping
from dataclasses import replace

from reference_driver.plugin import log

from .ailments import FELL_OFF, Look, Xid, Xids
from .facts import GpuFacts
from .gpus import Found
from .library import NvmlFailure
from .remembered import Remembered
from .snapshot import Snapshot


class State:
    """It begins with what was remembered: until NVML answers, that is all there is to publish."""

    def __init__(self, remembered: Remembered) -> None:
        self._remembered = remembered
        self.gpus, xids = remembered.load()
        self._xids = Xids(xids)
        self._looks: Mapping[str, str] = {}
        self.lost: dict[str, str] = {}
        """GPUs that do not answer, by address, and why."""

    def take(self, found: Found, listed: frozenset[str]) -> None:
        """NVML was asked for all GPUs. Of those that it counts and that do not answer, it does not say which they are:
        they must be among those that were there before. `listed`: addresses that the kernel driver has."""
        known = {gpu.bus_id: gpu for gpu in self.gpus}
        absent = [gpu for gpu in self.gpus if gpu.bus_id not in found.handles]
        kept = sorted(absent, key=lambda gpu: (gpu.bus_id not in listed, gpu.bus_id))[: len(found.failures)]
        for failure in found.failures[len(kept) :]:
            log.warning("a GPU that was not seen before does not answer", error=str(failure))
        returned = {address for address, fault in self.lost.items() if fault == FELL_OFF and address in found.handles}
        self._xids.forget(returned | {gpu.bus_id for gpu in absent if gpu not in kept})
        self.lost = {gpu.bus_id: _why(failure) for gpu, failure in zip(kept, found.failures, strict=False)}
        present = found.gpus if not kept else tuple(_as_joined(gpu, known.get(gpu.bus_id)) for gpu in found.gpus)
        self.gpus = tuple(sorted((*present, *kept), key=lambda gpu: gpu.minor))

    def nothing_answers(self, failure: NvmlFailure) -> None:
        """NVML itself fails: nobody can vouch for any GPU."""
        self.lost = {gpu.bus_id: str(failure) for gpu in self.gpus}

    def told(self, bus_id: str, code: int, ids: tuple[int, int] | None) -> None:
        """A GPU, or a MIG device of it, told of an XID that ails it."""
        self._xids.told(Xid(bus_id, code, time.time(), ids))

    def looked(self, looks: Mapping[str, Look]) -> None:
        """The GPUs that answer were looked at."""
        for address, found in looks.items():
            self._xids.settle(address, found.action, time.time())
        self._looks = {address: found.ailment for address, found in looks.items()}

    def snapshot(self) -> Snapshot:
        """The GPUs and how they are now; what a restart must not forget is kept."""
        xids = self._xids.all()
        self._remembered.save(self.gpus, xids)
        whole = {xid.bus_id: f"XID {xid.code}" for xid in xids if xid.ids is None}
        faults = {gpu.bus_id: self._fault(gpu.bus_id, whole.get(gpu.bus_id, "")) for gpu in self.gpus}
        of_parts = {(xid.bus_id, xid.ids): f"XID {xid.code}" for xid in xids if xid.ids is not None}
        return Snapshot(self.gpus, {address: fault for address, fault in faults.items() if fault}, of_parts)

    def _fault(self, address: str, xid: str) -> str:
        return self.lost.get(address) or "; ".join(filter(None, (xid, self._looks.get(address, ""))))


def _why(failure: NvmlFailure) -> str:
    return FELL_OFF if failure.lost else str(failure)


def _as_joined(gpu: GpuFacts, before: GpuFacts | None) -> GpuFacts:
    """While a GPU is away, those that it was joined with stay in the domain that they had."""
    return replace(gpu, nvlink_domain=before.nvlink_domain) if before and before.uuid == gpu.uuid else gpu
