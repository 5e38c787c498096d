"""Which GPUs NVLink joins: in this machine, or with those of other nodes in a domain that NVML tells the name of."""

import uuid
from collections.abc import Mapping
from ctypes import byref
from itertools import combinations
from typing import Any

from .library import Library


def domains(library: Library, handles: Mapping[str, Any], uuids: Mapping[str, str]) -> dict[str, str]:
    """The name of each GPU's domain, by address; GPUs have the same one if they are joined, and only then.

    A domain beyond the node is called by cluster and clique; one in this machine like the first GPU in it, which may be
    the only one. Raises NvmlFailure.
    """
    fabrics = {address: _fabric(library, handle) for address, handle in handles.items()}
    first = {address: address for address in handles}
    for one, other in combinations(sorted(handles), 2):
        if first[one] != first[other] and _joined(library, handles[one], handles[other]):
            older, newer = sorted((first[one], first[other]))
            first = {address: older if leader == newer else leader for address, leader in first.items()}
    return {address: fabrics[address] or uuids[first[address]] for address in handles}


def _joined(library: Library, one: Any, other: Any) -> bool:
    nvml = library.nvml
    status = library.ask("nvmlDeviceGetP2PStatus", one, other, nvml.NVML_P2P_CAPS_INDEX_NVLINK)
    return bool(status == nvml.NVML_P2P_STATUS_OK)


def _fabric(library: Library, handle: Any) -> str:
    """Cluster and clique of a GPU that has joined a domain beyond its node, or ""."""
    nvml, info = library.nvml, library.nvml.c_nvmlGpuFabricInfo_v2_t()
    if library.ask("nvmlDeviceGetGpuFabricInfoV", handle, byref(info), default="") == "":
        return ""
    cluster = bytes(info.clusterUuid)
    if info.state != nvml.NVML_GPU_FABRIC_STATE_COMPLETED or info.status != nvml.NVML_SUCCESS or not any(cluster):
        return ""
    return f"{uuid.UUID(bytes=cluster)}.{info.cliqueId}"
