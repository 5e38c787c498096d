"""Files that a machine with GPUs has beside NVML, below a folder: /sys/bus/pci, /proc/driver/nvidia, /dev, libraries.

Device nodes and libraries are empty files: there is nothing behind them, but who looks for them finds them.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from .gpu import Gpu
from .inventory import Node
from .table import addresses_of

_VENDOR, _CLASS = 0x10DE, 0x030200
_LIBRARIES = ("libcuda.so", "libnvidia-ml.so", "libnvidia-ptxjitcompiler.so", "libnvidia-nvvm.so", "libnvidia-cfg.so")
_PROGRAMS = (
    "nvidia-smi",
    "nvidia-debugdump",
    "nvidia-persistenced",
    "nvidia-cuda-mps-control",
    "nvidia-cuda-mps-server",
)
_CONTROL = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset")
_FIRST_CAPABILITY, _INSTANCES, _COMPUTE = 3, 15, 8
"""Minor numbers of /dev/nvidia-caps: two of them are for configuring and monitoring, then a block for each instance."""


def write_tree(node: Node, folder: Path) -> None:
    """Write the files of a node below a folder, which may have those of before: then only what has changed. Raises
    OSError."""
    addresses = {index: _written(*numbers) for index, numbers in addresses_of(node.gpus).items()}
    for gpu in node.gpus:
        _pci_device(folder / "sys", gpu, addresses[gpu.index], node.cpus)
    for path, content in _files(node, addresses):
        _write(folder / path, content)
    there = set(addresses.values())
    for link in (folder / "sys/bus/pci/devices").glob("*"):
        if link.name not in there:
            link.unlink()
    for gone in (folder / "proc/driver/nvidia/gpus").glob("*"):
        if gone.name not in there:
            shutil.rmtree(gone)
    for gone in set((folder / "dev").glob("nvidia[0-9]*")) - {folder / f"dev/nvidia{gpu.index}" for gpu in node.gpus}:
        gone.unlink()


def capability(gpu: int, instance: int, compute: int | None = None) -> int:
    """Minor number of the file that gives access to a GPU instance, or to a compute instance of it."""
    first = _FIRST_CAPABILITY + (gpu * _INSTANCES + instance) * (1 + _COMPUTE)
    return first if compute is None else first + 1 + compute


def _files(node: Node, addresses: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    if not node.gpus:
        return
    version = node.driver_version
    yield "proc/driver/nvidia/version", f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}\n"
    yield "proc/devices", "Character devices:\n195 nvidia\n195 nvidiactl\n235 nvidia-caps\n510 nvidia-uvm\n"
    for gpu in node.gpus:
        yield f"proc/driver/nvidia/gpus/{addresses[gpu.index]}/information", _information(gpu, addresses[gpu.index])
        yield f"dev/nvidia{gpu.index}", ""
    yield from ((f"dev/{name}", "") for name in _CONTROL)
    minors = list(_capabilities(node))
    yield "proc/driver/nvidia-caps/mig-minors", "".join(f"{name} {minor}\n" for name, minor in minors)
    yield from ((f"dev/nvidia-caps/nvidia-cap{minor}", "") for minor in (1, 2))
    yield from ((f"usr/lib/x86_64-linux-gnu/{name}.{version}", "") for name in _LIBRARIES)
    yield from ((f"usr/bin/{name}", "") for name in _PROGRAMS)


def _capabilities(node: Node) -> Iterator[tuple[str, int]]:
    yield "config", 1
    yield "monitor", 2
    for gpu in (gpu.index for gpu in node.gpus if gpu.product.mig):
        for instance in range(_INSTANCES):
            yield f"gpu{gpu}/gi{instance}/access", capability(gpu, instance)
            for compute in range(_COMPUTE):
                yield f"gpu{gpu}/gi{instance}/ci{compute}/access", capability(gpu, instance, compute)


def _information(gpu: Gpu, bus_id: str) -> str:
    rows = {"Model": gpu.model, "GPU UUID": gpu.uuid, "Bus Location": bus_id, "Device Minor": str(gpu.index)}
    return "".join(f"{name}: \t {value}\n" for name, value in rows.items())


def _pci_device(sys: Path, gpu: Gpu, bus_id: str, cpus: tuple[str, ...]) -> None:
    """Below its root, behind a port of its own, or behind the one that GPUs of a switch share."""
    root = gpu.pcie_root or f"pci{bus_id[:4]}:{int(bus_id[5:7], 16) - 1:02x}"  # untold: one of its own
    port = 1 if gpu.pcie_switch else 2 + gpu.index % 30
    bridge = f"{root.removeprefix('pci')}:{port:02x}.0"
    folder = sys / "devices" / root / bridge / bus_id
    folder.mkdir(parents=True, exist_ok=True)
    node = -1 if gpu.numa_node is None else gpu.numa_node
    content = {
        "vendor": f"{_VENDOR:#06x}",
        "device": f"{gpu.product.pci_device >> 16:#06x}",
        "class": f"{_CLASS:#08x}",
        "numa_node": str(node),
        "local_cpulist": cpus[node] if 0 <= node < len(cpus) else "",
    }
    for name, value in content.items():
        _write(folder / name, f"{value}\n")
    link = sys / "bus/pci/devices" / bus_id
    link.parent.mkdir(parents=True, exist_ok=True)
    target = os.path.relpath(folder, link.parent)
    if not link.is_symlink() or os.readlink(link) != target:
        link.unlink(missing_ok=True)
        link.symlink_to(target)


def _write(path: Path, content: str) -> None:
    """Leave what is right already: somebody may be reading it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != content:
        path.write_text(content, encoding="utf-8")


def _written(domain: int, bus: int, device: int) -> str:
    return f"{domain:04x}:{bus:02x}:{device:02x}.0"
