"""Which GPUs a node has. A file of one looks like this; everything but `gpus` has a default:

gpus:
  - count: 8
    model: LATEST-GPU-MODEL
    memory: 80Gi
    driverVersion: 1.0.0
  - uuid: gpu-0aa1c2b4-0000-4000-8000-000000000001
    index: 11
    fault: fell off the bus
  - index: 12
    absent: true

Or like this, on a fleet that ships, with one thing changed: docs/fakegpu.md has all fields and fleets.

fleet: a100-pcie-4
gpus:
  - {index: 2, mig: [{profile: 3g.40gb, start: 0}]}
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .entries import Entry, document
from .fields import address
from .gpu import DRIVER_VERSION, MODEL, Fabric, Gpu, Health, Links, MigInstance, Product
from .possible import check
from .products import product

CUDA_VERSION = "13.0"
FELL_OFF = "fell off the bus"
"""What ails a GPU that is lost."""
_NAMESPACE = uuid.UUID("6f1f2cf4-4d0b-5f5c-9a39-1f6d2b5b8f10")


@dataclass(frozen=True)
class Happening:
    """Something that a GPU told: `number` grows from one to the next, `code` is that of an XID.

    Where it is about a MIG device alone, the ids of its instances.
    """

    number: int
    gpu: int
    what: str
    code: int = 0
    gpu_instance: int | None = None
    compute_instance: int | None = None


@dataclass(frozen=True)
class Node:
    """A node with GPUs. `cpus`: the processors of each NUMA node, such as 0-55,112-167; `errors` as those of a GPU."""

    gpus: tuple[Gpu, ...]
    driver_version: str = DRIVER_VERSION
    cuda_version: str = CUDA_VERSION
    cpus: tuple[str, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    happened: tuple[Happening, ...] = ()


def default_inventory(seed: str, count: int = 8) -> tuple[Gpu, ...]:
    """GPUs of one kind; their UUIDs depend on the seed (the node's name) and the index only."""
    return tuple(Gpu(index, made_up_uuid(seed, index)) for index in range(count))


def load_inventory(path: Path, seed: str) -> tuple[Gpu, ...]:
    """The GPUs of an inventory file, by index; made-up UUIDs depend on the seed. Raises InventoryError."""
    return load_node(path, seed).gpus


def load_node(path: Path, seed: str) -> Node:
    """All that an inventory file says. Raises InventoryError."""
    written = document(path)
    seed = written.get("node", seed)
    there = [(_gpu(entry, written, seed), entry) for entry in written["gpus"]]
    check(f"inventory {path}", [gpu for gpu, _ in there], written)
    return Node(
        gpus=tuple(gpu for gpu, entry in there if not entry.get("absent")),
        driver_version=written.get("driverVersion", DRIVER_VERSION),
        cuda_version=written.get("cudaVersion", CUDA_VERSION),
        cpus=tuple(written.get("cpus", ())),
        errors=tuple(written.get("errors", {}).items()),
        happened=tuple(map(_happening, written.get("happened", ()))),
    )


def made_up_uuid(seed: str, index: int) -> str:
    """A UUID as GPU tools print them."""
    return f"gpu-{uuid.uuid5(_NAMESPACE, f'{seed}/{index}')}"


def _happening(row: Mapping[str, Any]) -> Happening:
    ids = row.get("gpuInstance"), row.get("computeInstance")
    return Happening(row["number"], row["gpu"], row["what"], row.get("code", 0), *ids)


def _gpu(entry: Entry, written: Mapping[str, Any], seed: str) -> Gpu:
    model = entry.get("model", MODEL)
    facts = _own(product(model, written.get("products", {})), entry)
    made_up = made_up_uuid(seed, entry["index"])
    fabric, health = entry.get("fabric"), _health(entry.get("health", {}))
    return Gpu(
        index=entry["index"],
        uuid=entry.get("uuid") or (made_up if model == MODEL else made_up.replace("gpu-", "GPU-", 1)),
        model=model,
        memory=entry.get("memory", facts.memory),
        driver_version=entry.get("driverVersion", written.get("driverVersion", DRIVER_VERSION)),
        fault=entry.get("fault", _fault(health)),
        serial=entry.get("serial", ""),
        pci_bus_id=address(entry["pciBusId"]) if "pciBusId" in entry else "",
        pcie_root=entry.get("pcieRoot", ""),
        pcie_switch=entry.get("pcieSwitch", ""),
        numa_node=entry.get("numaNode"),
        memory_numa_node=entry.get("memoryNumaNode"),
        nvlinks=tuple(Links(_other_end(row), row["count"]) for row in entry.get("nvlinks", ())),
        fabric=Fabric(fabric["cluster"], fabric.get("clique", 0)) if fabric else None,
        mig=tuple(MigInstance(**row) for row in entry["mig"]) if "mig" in entry else None,
        health=health,
        errors=tuple(entry.get("errors", {}).items()),
        product=facts,
    )


def _health(row: Mapping[str, Any]) -> Health:
    return Health(
        lost=row.get("lost", False),
        corrected=row.get("corrected", 0),
        uncorrected=row.get("uncorrected", 0),
        corrected_ever=row.get("correctedEver", row.get("corrected", 0)),
        uncorrected_ever=row.get("uncorrectedEver", row.get("uncorrected", 0)),
        temperature=row.get("temperature", Health.temperature),
        throttle=tuple(row.get("throttle", ())),
    )


def _fault(health: Health) -> str:
    if health.lost:
        return FELL_OFF
    return f"{health.uncorrected} uncorrected ECC errors" if health.uncorrected else ""


def _own(facts: Product, entry: Entry) -> Product:
    """The facts of a model, with those that the entry says otherwise."""
    return replace(
        facts,
        architecture=entry.get("architecture", facts.architecture),
        compute_capability=entry.get("computeCapability", facts.compute_capability),
    )


def _other_end(row: Mapping[str, Any]) -> str:
    return f"gpu-{row['gpu']}" if "gpu" in row else address(row.get("switch", "0000:00:00.0"))
