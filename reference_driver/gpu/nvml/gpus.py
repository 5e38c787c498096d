"""Asking NVML which GPUs there are and what they are. NVML is initialised, and stays so until this has its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import places
from .facts import GpuFacts
from .library import Library, NvmlFailure
from .migs import mig_devices
from .nvlink import domains

BRANDS = {
    0: "Unknown",
    1: "Quadro",
    2: "Tesla",
    3: "NVS",
    4: "Grid",
    5: "GeForce",
    6: "Titan",
    7: "NvidiaVApps",
    8: "NvidiaVPC",
    9: "NvidiaVCS",
    10: "NvidiaVWS",
    11: "NvidiaCloudGaming",
    12: "QuadroRTX",
    13: "NvidiaRTX",
    14: "Nvidia",
    15: "GeForceRTX",
    16: "TitanRTX",
}
ARCHITECTURES = {
    2: "Kepler",
    3: "Maxwell",
    4: "Pascal",
    5: "Volta",
    6: "Turing",
    7: "Ampere",
    8: "Ada Lovelace",
    9: "Hopper",
    10: "Blackwell",
    13: "Rubin",
}
_ADDRESSING_MODES = {0: "None", 1: "HMM", 2: "ATS"}


@dataclass(frozen=True)
class Found:
    """What was found: GPUs that answer and their handles by address, and why each of the others does not."""

    gpus: tuple[GpuFacts, ...] = ()
    handles: Mapping[str, Any] = field(default_factory=dict)
    failures: Sequence[NvmlFailure] = ()


def find(library: Library, system: Path) -> Found:
    """All GPUs. Raises NvmlFailure where NVML itself fails."""
    driver, cuda = _versions(library)
    gpus, handles, failures = [], {}, []
    for index in range(library.call("nvmlDeviceGetCount")):
        try:
            handle = library.call("nvmlDeviceGetHandleByIndex", index)
            gpu = _facts(library, handle, system)
        except NvmlFailure as failure:
            failures.append(failure)
            continue
        gpus.append(replace(gpu, driver_version=driver, cuda_version=cuda))
        handles[gpu.bus_id] = handle
    names = domains(library, handles, {gpu.bus_id: gpu.uuid for gpu in gpus})
    joined = (replace(gpu, nvlink_domain=names[gpu.bus_id]) for gpu in gpus)
    return Found(tuple(sorted(joined, key=lambda gpu: gpu.minor)), handles, failures)


def _versions(library: Library) -> tuple[str, str]:
    """Those of the driver and of CUDA; NVML has the latter as 1000 * major + 10 * minor."""
    cuda = library.ask("nvmlSystemGetCudaDriverVersion_v2", default=0)
    return library.call("nvmlSystemGetDriverVersion"), f"{cuda // 1000}.{cuda % 1000 // 10}"


def _facts(library: Library, handle: Any, system: Path) -> GpuFacts:
    address = places.bus_id(library.call("nvmlDeviceGetPciInfo", handle).busId)
    memory = library.ask("nvmlDeviceGetMemoryInfo", handle)
    mode = library.ask("nvmlDeviceGetMigMode", handle)
    capability = library.ask("nvmlDeviceGetCudaComputeCapability", handle, default=())
    addressing = library.ask("nvmlDeviceGetAddressingMode", handle, default=-1)
    return GpuFacts(
        bus_id=address,
        minor=library.call("nvmlDeviceGetMinorNumber", handle),
        uuid=library.call("nvmlDeviceGetUUID", handle),
        name=library.ask("nvmlDeviceGetName", handle, default=""),
        brand=BRANDS.get(library.ask("nvmlDeviceGetBrand", handle, default=0), "Unknown"),
        architecture=ARCHITECTURES.get(library.ask("nvmlDeviceGetArchitecture", handle), "Unknown"),
        compute_capability=".".join(map(str, capability)),
        memory=memory.total if memory else None,
        pcie_root=places.pcie_root(system, address),
        numa_node=places.numa_node(system, address),
        addressing_mode=_ADDRESSING_MODES.get(addressing, ""),
        mig_mode=None if mode is None else mode[0] == library.nvml.NVML_DEVICE_MIG_ENABLE,
        migs=mig_devices(library, handle) if mode and mode[0] == library.nvml.NVML_DEVICE_MIG_ENABLE else (),
    )
