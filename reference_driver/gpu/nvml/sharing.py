"""What a claim's GpuConfig means for a GPU, as far as NVML can set it: its compute mode.

NVML has no function for the time slices of a GPU: those that it has are of virtual GPUs. A GPU that is divided between
processes (SpacePartitioning) is one process's alone, that of the server which divides it; otherwise it is everybody's.
"""

from collections.abc import Mapping
from typing import Any

from reference_driver.gpu.config import SPACE_PARTITIONING, GpuConfig
from reference_driver.plugin import ClaimError, log

from .library import Library, NvmlFailure

KEY = "computeModes"
"""Of the data of a prepared claim: by the GPU's address, its compute mode before and that of the claim."""
Modes = Mapping[str, tuple[int, int]]


def planned(library: Library, configs: Mapping[str, GpuConfig]) -> dict[str, Any]:
    """The data of a claim for GPUs by their addresses: what is to be set, and what to set back. Raises ClaimError."""
    if not configs:
        return {}
    nvml = library.nvml
    modes = {}
    try:
        with library.in_use():
            for address, config in configs.items():
                alone = config.strategy == SPACE_PARTITIONING
                wanted = nvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS if alone else nvml.NVML_COMPUTEMODE_DEFAULT
                handle = library.call("nvmlDeviceGetHandleByPciBusId", address)
                modes[address] = (library.call("nvmlDeviceGetComputeMode", handle), wanted)
    except NvmlFailure as failure:
        raise ClaimError(f"the compute mode of a GPU cannot be read: {failure}") from failure
    return {KEY: modes}


def apply(library: Library, data: Mapping[str, Any]) -> None:
    """Set what was planned; again after a reboot. Raises ClaimError."""
    try:
        _set(library, {address: modes[1] for address, modes in data.get(KEY, {}).items()})
    except NvmlFailure as failure:
        raise ClaimError(f"the compute mode of a GPU cannot be set: {failure}") from failure


def undo(library: Library, data: Mapping[str, Any]) -> None:
    """Set back what was there before. A GPU that is gone, or that nobody can reach, has nothing to be set back."""
    for address, modes in data.get(KEY, {}).items():
        try:
            _set(library, {address: modes[0]})
        except NvmlFailure as failure:
            gone = failure.lost or library.is_nothing(failure)
            if not gone and failure.number != library.nvml.NVML_ERROR_DRIVER_NOT_LOADED:
                raise ClaimError(f"the compute mode of GPU {address} cannot be set back: {failure}") from failure
            log.warning("compute mode not set back", gpu=address, error=str(failure))


def _set(library: Library, modes: Mapping[str, int]) -> None:
    if not modes:
        return
    with library.in_use():
        for address, mode in modes.items():
            handle = library.call("nvmlDeviceGetHandleByPciBusId", address)
            if library.call("nvmlDeviceGetComputeMode", handle) != mode:
                library.call("nvmlDeviceSetComputeMode", handle, mode)
