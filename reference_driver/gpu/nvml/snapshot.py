"""The GPUs and how they are, at one moment: made by the monitor, read by everybody."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .devices import parts
from .facts import GpuFacts, MigFacts

Ids = tuple[int, int]


@dataclass(frozen=True)
class Snapshot:
    """GPUs in order, and what ails them: the whole GPU by its address, MIG devices by address and ids."""

    gpus: tuple[GpuFacts, ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)
    mig_faults: Mapping[tuple[str, Ids], str] = field(default_factory=dict)

    @cached_property
    def parts(self) -> Mapping[str, tuple[GpuFacts, MigFacts | None]]:
        """The devices that are published, by name."""
        return {name: (gpu, mig) for name, gpu, mig in parts(self.gpus)}

    @cached_property
    def ailments(self) -> Mapping[str, str]:
        """What ails each device that is sick, by name; MIG devices are sick when their GPU is."""
        found = {name: self._fault(gpu, mig) for name, (gpu, mig) in self.parts.items()}
        return {name: fault for name, fault in found.items() if fault}

    def _fault(self, gpu: GpuFacts, mig: MigFacts | None) -> str:
        return self.faults.get(gpu.bus_id, "") or (self.mig_faults.get((gpu.bus_id, mig.ids), "") if mig else "")
