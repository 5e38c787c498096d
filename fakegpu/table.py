"""The table: a node's GPUs in plain lines, for the fake libnvidia-ml that fakegpu/nvml/ builds.

One record a line, its words divided by tabs, the last line `end`. First what is said of the node: versions of its
driver, `cpus` of each NUMA node in words of 64 bits, an `event` for all that GPUs told (number, NVML's type, data,
address, ids of a GPU instance and a compute instance) and functions that `fail` (name, NVML's error). Then each GPU,
from a line with its address on: a field a line as node.h names it, a `link` for each NVLink, a `profile` for each size
of MIG instances, each `instance` with its `compute` instance.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from .errors import ERRORS, HANG
from .fields import address, amount
from .gpu import Gpu, MigProfile
from .inventory import Node, load_node
from .products import ARCHITECTURES

SUFFIX, SETTINGS = ".nvml", ".nvml.set"
"""What the names of a table, and of what is set through the library, have behind that of the inventory."""
THROTTLE_BITS = {
    "sw-power-cap": 0x4,
    "hw-slowdown": 0x8,
    "sync-boost": 0x10,
    "sw-thermal-slowdown": 0x20,
    "hw-thermal-slowdown": 0x40,
    "hw-power-brake-slowdown": 0x80,
}
_BRANDS = {"unknown": 0, "Tesla": 2, "GeForce": 5, "RTX": 13, "NVIDIA": 14}
_EVENTS = {"single-bit-ecc": 0x1, "double-bit-ecc": 0x2, "xid": 0x8, "mig": 0x100}
_NVLINK_VERSIONS = {1: 1, 2: 2, 3: 4, 4: 6, 5: 7, 6: 8}
_COMPUTE_PROFILES = {1: 0, 2: 1, 3: 2, 4: 3, 7: 4, 8: 5, 6: 6}
_FIRST_ARCHITECTURE, _UNKNOWN = 2, 0xFFFFFFFF
_ANY = 0xFFFFFFFF
_RESET = 1  # the recovery action that NVML then asks for
Words = Sequence[object]


def table_of(inventory: Path) -> Path:
    """Where the table of an inventory file is."""
    return inventory.with_name(inventory.name + SUFFIX)


def write_table(inventory: Path, seed: str) -> Path:
    """Write the table of an inventory file, beside it and at one stroke; its path. Raises InventoryError, OSError."""
    path = table_of(inventory)
    lines = ["\t".join(map(str, words)) for words in records(load_node(inventory, seed))]
    scratch = path.with_name(f".{path.name}.tmp")
    scratch.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(scratch, path)
    return path


def records(node: Node) -> Iterator[Words]:
    """The lines of a table, as words."""
    addresses = addresses_of(node.gpus)
    major, minor = node.cuda_version.split(".")
    yield "driver", node.driver_version
    yield "nvml", f"{major}.{node.driver_version}"
    yield "cuda", 1000 * int(major) + 10 * int(minor)
    for cpus in node.cpus:
        yield "cpus", *_words(cpus)
    for event in node.happened:
        if event.gpu in addresses:
            ids = (_ANY if each is None else each for each in (event.gpu_instance, event.compute_instance))
            yield "event", event.number, _EVENTS[event.what], event.code, *addresses[event.gpu], *ids
    yield from _failures(node.errors)
    for gpu in sorted(node.gpus, key=lambda gpu: addresses[gpu.index]):
        yield "gpu", *addresses[gpu.index]
        yield from _fields(gpu)
        yield from _links(gpu, addresses)
        yield from _partitions(gpu)
        yield from _failures(gpu.errors)
    yield ("end",)


def _fields(gpu: Gpu) -> Iterator[Words]:
    product, health = gpu.product, gpu.health
    major, minor = product.compute_capability.split(".")
    known = product.architecture in ARCHITECTURES[:-1]
    yield from {
        "uuid": gpu.uuid,
        "name": gpu.model,
        "serial": gpu.serial,
        "root": gpu.pcie_root,
        "pcie_switch": gpu.pcie_switch,
        "pci_id": product.pci_device,
        "pci_subsystem": product.pci_subsystem,
        "minor": gpu.index,
        "architecture": _FIRST_ARCHITECTURE + ARCHITECTURES.index(product.architecture) if known else _UNKNOWN,
        "brand": _BRANDS[product.brand],
        "major": major,
        "minor_capability": minor,
        "memory": amount(gpu.memory),
        "reserved": min(amount(product.reserved), amount(gpu.memory)),
        "lost": int(health.lost),
        "has_numa": int(gpu.numa_node is not None),
        "numa": gpu.numa_node or 0,
        "has_memory_numa": int(gpu.memory_numa_node is not None),
        "memory_numa": gpu.memory_numa_node or 0,
        "multiprocessors": product.multiprocessors,
        "cores": product.cores,
        "memory_bus": product.memory_bus,
        "pcie_generation": product.pcie_generation,
        "pcie_width": product.pcie_width,
        "power": product.power,
        "sm_clock": product.sm_clock,
        "memory_clock": product.memory_clock,
        "nvlink_version": _NVLINK_VERSIONS.get(product.nvlink_version, 0),
        "nvlink_speed": product.nvlink_speed,
        "nvlinks": product.nvlinks,
        "coherent": int(product.coherent),
        "has_fabric": int(gpu.fabric is not None),
        "clique": gpu.fabric.clique if gpu.fabric else 0,
        "cluster": gpu.fabric.cluster if gpu.fabric else "",
        "corrected": health.corrected,
        "uncorrected": health.uncorrected,
        "corrected_ever": health.corrected_ever,
        "uncorrected_ever": health.uncorrected_ever,
        "temperature": health.temperature,
        "recovery": _RESET if gpu.fault and not health.lost else 0,
        "throttle": sum(THROTTLE_BITS[reason] for reason in set(health.throttle)),
        "mig": int(gpu.mig is not None),
    }.items()


def _links(gpu: Gpu, addresses: dict[int, tuple[int, int, int]]) -> Iterator[Words]:
    for links in gpu.nvlinks:
        peer = int(links.to.removeprefix("gpu-")) if links.to.startswith("gpu-") else None
        gone = (0, 0, 0)  # of a GPU that is absent: no GPU is there, so the link is not active
        end = _numbers(links.to) if peer is None else addresses.get(peer, gone)
        for _ in range(links.count):
            yield "link", int(peer is None), *end


def _partitions(gpu: Gpu) -> Iterator[Words]:
    for each in gpu.product.mig:
        yield _profile(each)
    for instance in gpu.mig or ():
        profile = gpu.product.profile(instance.profile)
        assert profile is not None
        yield "instance", profile.id, instance.start
        yield "compute", _COMPUTE_PROFILES[profile.slices], 0, 0


def _profile(each: MigProfile) -> Words:
    engines = (each.copy_engines, each.decoders, each.encoders, each.jpegs, each.ofas)
    sizes = (each.slices, each.instances, each.size, each.memory, each.multiprocessors)
    return "profile", each.name, each.id, each.number, *sizes, *engines, *each.starts


def _failures(errors: Sequence[tuple[str, str]]) -> Iterator[Words]:
    for function, error in errors:
        yield "fail", function, (ERRORS | HANG)[error]


def addresses_of(gpus: Sequence[Gpu]) -> dict[int, tuple[int, int, int]]:
    """PCI addresses (domain, bus, device) by the GPUs' indices; those that no inventory names are made up."""
    told = {gpu.index: _numbers(gpu.pci_bus_id) for gpu in gpus if gpu.pci_bus_id}
    free = ((0, bus, 0) for bus in range(0x10, 0x100) if (0, bus, 0) not in told.values())
    return {gpu.index: told.get(gpu.index) or next(free) for gpu in gpus}


def _numbers(bus_id: str) -> tuple[int, int, int]:
    domain, bus, device = address(bus_id).removesuffix(".0").split(":")
    return int(domain, 16), int(bus, 16), int(device, 16)


def _words(cpus: str) -> list[int]:
    """A mask of processors, 64 to a word."""
    mask = 0
    for part in filter(None, cpus.split(",")):
        first, _, last = part.partition("-")
        for cpu in range(int(first), int(last or first) + 1):
            mask |= 1 << cpu
    return [mask >> shift & (2**64 - 1) for shift in range(0, max(mask.bit_length(), 1), 64)]
