"""Where a GPU is, as the machine's files say: NVML does not tell the PCIe root, nor the NUMA node of every GPU."""

import os
import re
from pathlib import Path

_ROOT = re.compile(r"pci[0-9a-f]{4,8}:[0-9a-f]{2}")
_DEVICES = Path("sys/bus/pci/devices")
_KNOWN_TO_DRIVER = Path("proc/driver/nvidia/gpus")


def bus_id(written: str) -> str:
    """A PCI address as Linux writes it; NVML writes 00000000:17:00.0, in capitals."""
    domain, _, rest = written.lower().partition(":")
    return f"{int(domain, 16):04x}:{rest}"


def pcie_root(system: Path, address: str) -> str:
    """The root complex that a GPU is below, such as pci0000:16, or "": the top of its place in /sys/devices."""
    link = system / _DEVICES / address
    try:
        target = os.readlink(link)
    except OSError:
        return ""
    parts = Path(os.path.normpath(_DEVICES / target)).parts
    # sys/devices/<root>/…/<address>; on virtual machines the root may be below a bus of its own
    roots = [part for part in parts[2:] if _ROOT.fullmatch(part)]
    return roots[0] if parts[:2] == ("sys", "devices") and roots else ""


def numa_node(system: Path, address: str) -> int | None:
    """The NUMA node, or None: a GPU that belongs to none must not publish one."""
    try:
        number = int((system / _DEVICES / address / "numa_node").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return number if number >= 0 else None


def known_to_driver(system: Path) -> frozenset[str]:
    """Addresses of the GPUs that the kernel driver has: when they change, NVML has to begin anew."""
    try:
        return frozenset(os.listdir(system / _KNOWN_TO_DRIVER))
    except OSError:
        return frozenset()
