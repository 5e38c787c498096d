"""Where GPUs are: attributes that are equal for GPUs which are near each other, for `matchAttribute` in claims."""

from collections.abc import Mapping, Sequence

from fakegpu import Gpu

from . import metadata

NVLINK_DOMAIN = "nvlinkDomain"
"""Attribute of GPUs that reach each other over NVLink, without PCIe or the network."""
_STANDARD = "resource.kubernetes.io"
Value = int | str


class Topology:
    """The GPUs of one node. What is not known of all of them is published of none, so that selectors fail on none."""

    def __init__(self, gpus: Sequence[Gpu], node: str) -> None:
        self._node = node
        self._domains = _domains(gpus)
        rows = [_standard(gpu) for gpu in gpus]
        self._known = set.intersection(*(set(row) for row in rows)) if rows else set()

    def attributes(self, gpu: Gpu) -> Mapping[str, Value]:
        """What is published of the place of a GPU."""
        standard = {name: value for name, value in _standard(gpu).items() if name in self._known}
        return {**standard, NVLINK_DOMAIN: self._nvlink_domain(gpu)}

    def _nvlink_domain(self, gpu: Gpu) -> str:
        """That of a fabric is the same on all of its nodes; one inside the node is named by its first GPU."""
        if gpu.fabric:
            return metadata.text(f"{gpu.fabric.cluster}.{gpu.fabric.clique}")
        return metadata.text(f"{self._domains.get(gpu.name, gpu.name)}.{self._node}")


def _standard(gpu: Gpu) -> dict[str, Value]:
    """Attributes that Kubernetes has defined, as far as they are known; a GPU of no NUMA node has none of that name."""
    known = {
        f"{_STANDARD}/pciBusID": gpu.pci_bus_id,
        f"{_STANDARD}/pcieRoot": gpu.pcie_root,
        f"{_STANDARD}/numaNode": gpu.numa_node,
    }
    return {name: value for name, value in known.items() if value not in (None, "", -1)}


def _domains(gpus: Sequence[Gpu]) -> dict[str, str]:
    """For each GPU the first of those that it reaches over NVLinks, directly or through switches and other GPUs."""
    ends: dict[str, set[str]] = {}
    for gpu in gpus:
        for links in gpu.nvlinks:
            ends.setdefault(gpu.name, set()).add(links.to)
            ends.setdefault(links.to, set()).add(gpu.name)
    first: dict[str, str] = {}
    for gpu in gpus:
        waiting = [gpu.name]
        while waiting:
            here = waiting.pop()
            if here not in first:
                first[here] = gpu.name
                waiting += ends.get(here, ())
    return {gpu.name: first[gpu.name] for gpu in gpus}
