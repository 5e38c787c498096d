"""What is known of a GPU and of its MIG devices, in a form that is kept in a file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

WHOLE = None
"""Key of what concerns a GPU as a whole, where MIG devices have the ids of their instances."""


@dataclass(frozen=True)
class MigFacts:
    """A MIG device. `instance` and `compute` are NVML's ids of its instances, which events name it by.

    `start` and `size`: the memory slices that its GPU instance takes; `compute_start`: its first compute slice in that,
    or None where it has all of them. `shared_by`: how many MIG devices have that GPU instance. `memory` is in bytes.
    """

    uuid: str
    profile: str
    instance: int
    compute: int
    start: int
    size: int
    memory: int
    compute_start: int | None = None
    shared_by: int = 1
    multiprocessors: int = 0
    copy_engines: int = 0
    decoders: int = 0
    encoders: int = 0
    jpeg_engines: int = 0
    ofa_engines: int = 0

    @property
    def ids(self) -> tuple[int, int]:
        """What events call it."""
        return self.instance, self.compute


@dataclass(frozen=True)
class GpuFacts:
    """A GPU. `bus_id` as Linux writes it is what it is known by: a UUID has been seen twice. `memory` is in bytes.

    `nvlink_domain` is the same for GPUs that NVLink joins. `mig_mode` is None where there is none; `migs` are the MIG
    devices that are there. `memory`, `pcie_root` and `numa_node` are None or "" where nothing tells them.
    """

    bus_id: str
    minor: int
    uuid: str
    name: str
    brand: str = "Unknown"
    architecture: str = "Unknown"
    compute_capability: str = ""
    driver_version: str = ""
    cuda_version: str = ""
    memory: int | None = None
    pcie_root: str = ""
    numa_node: int | None = None
    nvlink_domain: str = ""
    addressing_mode: str = ""
    mig_mode: bool | None = None
    migs: tuple[MigFacts, ...] = ()

    @property
    def device(self) -> str:
        """Its name as a device: NVML's minor number stays the same, its index need not."""
        return f"gpu-{self.minor}"

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        return asdict(self)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "GpuFacts":
        """From what was kept; fields that are not known are left out. Raises KeyError, TypeError, AttributeError."""
        known = {each.name: row[each.name] for each in fields(cls) if each.name in row}
        return cls(**{**known, "migs": tuple(_mig(each) for each in row["migs"])})


def _mig(row: Mapping[str, Any]) -> MigFacts:
    return MigFacts(**{each.name: row[each.name] for each in fields(MigFacts) if each.name in row})
