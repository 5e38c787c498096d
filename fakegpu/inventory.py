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
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODEL, MEMORY, DRIVER_VERSION = "LATEST-GPU-MODEL", "80Gi", "1.0.0"
Entry = dict[str, Any]

_NAMESPACE = uuid.UUID("6f1f2cf4-4d0b-5f5c-9a39-1f6d2b5b8f10")
_FIELDS = {
    "count": int,
    "index": int,
    "uuid": str,
    "model": str,
    "memory": str,
    "driverVersion": str,
    "fault": str,
    "absent": bool,
}


class InventoryError(ValueError):
    """An inventory file cannot be used; the text says which entry and why."""


@dataclass(frozen=True)
class Gpu:
    """One GPU. `memory` is a Kubernetes quantity, `driver_version` a semantic version; `fault`: what ails it, or ""."""

    index: int
    uuid: str
    model: str = MODEL
    memory: str = MEMORY
    driver_version: str = DRIVER_VERSION
    fault: str = ""

    @property
    def name(self) -> str:
        """The name of the device, the same after every restart."""
        return f"gpu-{self.index}"


def default_inventory(seed: str, count: int = 8) -> tuple[Gpu, ...]:
    """GPUs of one kind; their UUIDs depend on the seed (the node's name) and the index only."""
    return tuple(Gpu(index, made_up_uuid(seed, index)) for index in range(count))


def load_inventory(path: Path, seed: str) -> tuple[Gpu, ...]:
    """The GPUs of an inventory file, by index. Raises InventoryError."""
    return tuple(_gpu(entry, seed) for entry in entries(path) if not entry.get("absent"))


def entries(path: Path) -> list[Entry]:
    """The entries of an inventory file, one for each GPU, with `index` and without `count`. Raises InventoryError.

    Among them are those of GPUs that are `absent`.
    """
    loaded = _read(path)
    if not isinstance(loaded, dict) or not isinstance(loaded.get("gpus"), list):
        raise InventoryError(f"inventory {path} must be a map with a list `gpus`")
    found: dict[int, Entry] = {}
    for number, row in enumerate(loaded["gpus"]):
        for entry in _expanded(row, f"inventory {path}, gpus[{number}]", max(found, default=-1) + 1):
            if entry["index"] in found:
                raise InventoryError(f"inventory {path}, gpus[{number}]: index {entry['index']} is taken")
            found[entry["index"]] = entry
    return [found[index] for index in sorted(found)]


def made_up_uuid(seed: str, index: int) -> str:
    """A UUID as GPU tools print them."""
    return f"gpu-{uuid.uuid5(_NAMESPACE, f'{seed}/{index}')}"


def _read(path: Path) -> Any:
    try:
        return _parsed(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InventoryError(f"inventory {path} cannot be read: {error}") from error


def _parsed(text: bytes) -> Any:
    if text.startswith(b"{"):  # JSON, as `python -m fakegpu` writes it
        return json.loads(text)
    import yaml  # not needed for the default inventory, and it costs 20 ms

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise ValueError(error) from error


def _expanded(entry: Any, where: str, first: int) -> list[Entry]:
    if not isinstance(entry, dict):
        raise InventoryError(f"{where} must be a map")
    _check_fields(entry, where)
    count, first = entry.get("count", 1), entry.get("index", first)
    if count > 1 and "uuid" in entry:
        raise InventoryError(f"{where}: a uuid is for one GPU, leave out `count`")
    rest = {name: value for name, value in entry.items() if name != "count"}
    return [{**rest, "index": index} for index in range(first, first + count)]


def _check_fields(entry: Mapping[str, Any], where: str) -> None:
    for name, value in entry.items():
        if name not in _FIELDS:
            raise InventoryError(f"{where}: unknown field {name!r}; there are {', '.join(_FIELDS)}")
        if type(value) is not _FIELDS[name]:
            raise InventoryError(f"{where}: {name} must be of type {_FIELDS[name].__name__}")
        if isinstance(value, int) and value < 0:
            raise InventoryError(f"{where}: {name} must not be negative")


def _gpu(entry: Entry, seed: str) -> Gpu:
    return Gpu(
        index=entry["index"],
        uuid=entry.get("uuid") or made_up_uuid(seed, entry["index"]),
        model=entry.get("model", MODEL),
        memory=entry.get("memory", MEMORY),
        driver_version=entry.get("driverVersion", DRIVER_VERSION),
        fault=entry.get("fault", ""),
    )
