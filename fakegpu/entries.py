"""An inventory file as it is written: which fields there are, and the entries of its GPUs, one for each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import ERRORS, HANG, nvml_function
from .fields import InventoryError, bus_id, cpus, flag, matching, one_of, quantity, record, rows, table, text, whole
from .fleets import FLEETS, fleet_file
from .parse import parse
from .products import PRODUCT, PRODUCTS

Entry = dict[str, Any]

THROTTLES = (
    "sw-power-cap",
    "hw-slowdown",
    "sync-boost",
    "sw-thermal-slowdown",
    "hw-thermal-slowdown",
    "hw-power-brake-slowdown",
)
EVENTS = ("single-bit-ecc", "double-bit-ecc", "xid", "mig")
_FAILURES = table(nvml_function, one_of(*ERRORS, *HANG))
_HEALTH = {
    "lost": flag,
    **dict.fromkeys(("corrected", "uncorrected", "correctedEver", "uncorrectedEver", "temperature"), whole),
    "throttle": rows(one_of(*THROTTLES)),
}
_GPU = {
    "count": whole,
    "index": whole,
    **dict.fromkeys(("uuid", "model", "driverVersion", "fault", "serial"), text),
    "memory": quantity,
    "absent": flag,
    "pciBusId": bus_id,
    "pcieRoot": matching(r"pci[0-9a-f]{4,8}:[0-9a-f]{2}", "pci0000:44"),
    "pcieSwitch": text,
    "numaNode": whole,
    "memoryNumaNode": whole,
    "nvlinks": rows(record({"gpu": whole, "switch": bus_id, "count": whole}, "count")),
    "fabric": record({"cluster": matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "a UUID"), "clique": whole}),
    "mig": rows(record({"profile": text, "start": whole}, "profile", "start")),
    "health": record(_HEALTH),
    "errors": _FAILURES,
    "architecture": PRODUCT["architecture"],
    "computeCapability": PRODUCT["computeCapability"],
}
_HAPPENING = {
    **dict.fromkeys(("number", "gpu", "code", "gpuInstance", "computeInstance"), whole),
    "what": one_of(*EVENTS),
}
_INVENTORY = {
    "fleet": one_of(*FLEETS),
    "node": text,
    "driverVersion": text,
    "cudaVersion": matching(r"\d+\.\d+", '"13.0"'),
    "cpus": rows(cpus),
    "products": PRODUCTS,
    "errors": _FAILURES,
    "happened": rows(record(_HAPPENING, "number", "gpu", "what")),
    "gpus": rows(record(_GPU)),
}


def document(path: Path) -> Entry:
    """What a file says, with the fleet that it builds on; `gpus` has an entry for each GPU, with `index`, in order.

    Raises InventoryError.
    """
    loaded = _checked(path)
    if "fleet" in loaded:
        base = document(fleet_file(loaded.pop("fleet")))
        entries = {entry["index"]: entry for entry in base["gpus"]}
        for entry in _expanded(loaded.get("gpus", []), path):
            entries[entry["index"]] = {**entries.get(entry["index"], {}), **entry}
        return {**base, **loaded, "gpus": [entries[index] for index in sorted(entries)]}
    return {**loaded, "gpus": _expanded(loaded["gpus"], path)}


def _checked(path: Path) -> Entry:
    try:
        loaded = parse(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InventoryError(f"inventory {path} cannot be read: {error}") from error
    if not isinstance(loaded, dict) or not ("fleet" in loaded or isinstance(loaded.get("gpus"), list)):
        raise InventoryError(f"inventory {path} must be a map with a list `gpus`, or with the name of a `fleet`")
    record(_INVENTORY)(loaded, f"inventory {path}", "")
    return loaded


def _expanded(rows: list[Entry], path: Path) -> list[Entry]:
    found: dict[int, Entry] = {}
    for number, row in enumerate(rows):
        where = f"inventory {path}: gpus[{number}]"
        for entry in _copies(row, where, max(found, default=-1) + 1):
            if entry["index"] in found:
                raise InventoryError(f"{where}: index {entry['index']} is taken; give every GPU another")
            found[entry["index"]] = entry
    return [found[index] for index in sorted(found)]


def _copies(entry: Mapping[str, Any], where: str, first: int) -> list[Entry]:
    count, first = entry.get("count", 1), entry.get("index", first)
    for name in ("uuid", "serial", "pciBusId"):
        if count > 1 and name in entry:
            raise InventoryError(f"{where}: a {name} is for one GPU, leave out `count`")
    rest = {name: value for name, value in entry.items() if name != "count"}
    return [{**rest, "index": index} for index in range(first, first + count)]
