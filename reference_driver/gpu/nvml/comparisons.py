"""What would be published, beside what is found in another way: other functions of NVML, and files of the driver."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from reference_driver.gpu import metadata

from . import places
from .devices import STANDARD, attributes, quantity
from .facts import GpuFacts, MigFacts
from .gpus import Found
from .library import Library

_NEAR = 30
"""Of NVML's levels of topology: GPUs up to this level are below one host bridge, others are not."""


@dataclass(frozen=True)
class Finding:
    """One value of a device, as published and as found otherwise; `found` is None where there is no other way."""

    device: str
    what: str
    published: object
    found: object

    @property
    def differs(self) -> bool:
        """Whether one of them is wrong."""
        return self.found is not None and self.found != self.published


def compare(library: Library, found: Found, system: Path) -> Iterator[Finding]:
    """All findings; NVML must be initialised. Raises NvmlFailure."""
    for gpu in found.gpus:
        handle = library.call("nvmlDeviceGetHandleByPciBusId", gpu.bus_id)
        yield from _gpu(library, gpu, handle, system)
        for mig in gpu.migs:
            yield from _mig(library, gpu, mig)
    for one, other in combinations(found.gpus, 2):
        yield from _pair(library, found.handles, one, other)


def _gpu(library: Library, gpu: GpuFacts, handle: Any, system: Path) -> Iterator[Finding]:
    said = _information(system, gpu.bus_id)
    told = attributes(gpu)
    version = (system / "sys/module/nvidia/version", system / "proc/driver/nvidia/version")
    memory = library.ask("nvmlDeviceGetMemoryInfo", handle, version=library.nvml.nvmlMemory_v2)
    cuda = library.ask("nvmlSystemGetCudaDriverVersion")
    rows: Mapping[str, tuple[object, object]] = {
        "uuid": (told["uuid"], metadata.text(library.call("nvmlDeviceGetUUID", handle))),
        "index": (told["index"], int(said["Device Minor"]) if "Device Minor" in said else None),
        "model": (told["model"], metadata.text(said["Model"]) if "Model" in said else None),
        "driverVersion": (gpu.driver_version, next(_versions(gpu.driver_version, version), None)),
        "cudaDriverVersion": (gpu.cuda_version, None if cuda is None else f"{cuda // 1000}.{cuda % 1000 // 10}"),
        "memory": (gpu.memory, memory.total if memory else None),
        f"{STANDARD}/numaNode": (gpu.numa_node, _numa_node(library, gpu, handle)),
    }
    for what, (published, found) in rows.items():
        yield Finding(gpu.device, what, published, found)


def _mig(library: Library, gpu: GpuFacts, mig: MigFacts) -> Iterator[Finding]:
    handle = library.call("nvmlDeviceGetHandleByUUID", mig.uuid.encode())
    parent = library.call("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", handle)
    _, named, profile = library.call("nvmlDeviceGetName", handle).rpartition(" MIG ")
    device = f"{gpu.device}, MIG device {mig.instance}/{mig.compute}"
    yield Finding(device, "parentUUID", gpu.uuid, library.call("nvmlDeviceGetUUID", parent))
    yield Finding(device, "profile", mig.profile, profile if named else None)
    yield Finding(device, "memory", mig.memory, library.call("nvmlDeviceGetMemoryInfo", handle).total)


def _pair(library: Library, handles: Mapping[str, Any], one: GpuFacts, other: GpuFacts) -> Iterator[Finding]:
    pair = handles[one.bus_id], handles[other.bus_id]
    device = f"{one.device} and {other.device}"
    if one.pcie_root and other.pcie_root:
        level = library.ask("nvmlDeviceGetTopologyCommonAncestor", *pair)
        near = None if level is None else level <= _NEAR
        yield Finding(device, f"same {STANDARD}/pcieRoot", one.pcie_root == other.pcie_root, near)
    if _linked(library, pair[0], other.bus_id):
        yield Finding(device, "same nvlinkDomain", one.nvlink_domain == other.nvlink_domain, True)


def _linked(library: Library, handle: Any, address: str) -> bool:
    """Whether an NVLink of a GPU leads to the GPU at this address, without a switch between."""
    links = library.nvml.NVML_NVLINK_MAX_LINKS
    ends = library.each("nvmlDeviceGetNvLinkRemotePciInfo", handle, links)
    return any(places.bus_id(end.busId) == address for end in ends)


def _numa_node(library: Library, gpu: GpuFacts, handle: Any) -> int | None:
    """The published node, if it is among those of the GPU's memory affinity; else the first of these."""
    scope = library.nvml.NVML_AFFINITY_SCOPE_NODE
    words = library.ask("nvmlDeviceGetMemoryAffinity", handle, 16, scope, default=())
    nodes = [64 * place + bit for place, word in enumerate(words) for bit in range(64) if word >> bit & 1]
    if gpu.numa_node is None or not nodes:
        return None
    return gpu.numa_node if gpu.numa_node in nodes else nodes[0]


def _information(system: Path, address: str) -> dict[str, str]:
    """What the kernel driver's file says of a GPU."""
    rows = _lines(system / "proc/driver/nvidia/gpus" / address / "information")
    return {name.strip(): value.strip() for name, _, value in (row.partition(":") for row in rows)}


def _versions(wanted: str, files: tuple[Path, ...]) -> Iterator[str]:
    """The driver's version as its files have it; the second has it among other words."""
    for file in files:
        words = " ".join(_lines(file)).split()
        yield from [word for word in words if word == wanted] or [word for word in words if word[:1].isdigit()][:1]


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def reconfigured(library: Library, found: Found, say: Callable[[str], None]) -> Iterator[Finding]:
    """Compute modes, set and set back: on GPUs that nobody uses. Raises NvmlFailure; the mode is then set back too."""
    nvml = library.nvml
    for gpu in found.gpus:
        handle = found.handles[gpu.bus_id]
        if gpu.mig_mode or library.ask("nvmlDeviceGetComputeRunningProcesses", handle, default=()):
            say(f"{gpu.device} is in use, or has MIG mode on: its compute mode is left alone")
            continue
        before = library.call("nvmlDeviceGetComputeMode", handle)
        try:
            library.call("nvmlDeviceSetComputeMode", handle, nvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS)
            now = library.call("nvmlDeviceGetComputeMode", handle)
            yield Finding(gpu.device, "compute mode", nvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS, now)
        finally:
            library.call("nvmlDeviceSetComputeMode", handle, before)
        yield Finding(gpu.device, "compute mode afterwards", before, library.call("nvmlDeviceGetComputeMode", handle))


def readable(finding: Finding) -> str:
    """One line about a finding."""
    published, found = (
        quantity(value) if finding.what == "memory" and isinstance(value, int) else value
        for value in (finding.published, finding.found)
    )
    return f"{finding.device}: {finding.what} is {published!r}, and NVML or the machine says {found!r}"
