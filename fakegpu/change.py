"""Events of made-up hardware: an inventory file is changed, and the drivers that follow it see GPUs come, go and fail.

The file is replaced at one stroke, and so is its table for NVML, where there is one. Where there is no file yet it is
made, with the GPUs of a node that has none.
"""

import fcntl
import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .entries import Entry, document
from .fields import InventoryError
from .fleets import fleet_file
from .inventory import FELL_OFF, load_node
from .table import SETTINGS, table_of, write_table
from .tree import write_tree
from .watch import watch_file

FELL_OFF_THE_BUS, DOUBLE_BIT_ERROR = 79, 48
OF_PROGRAMS = (13, 31, 43, 45, 68, 109)
"""XIDs that tell of a program's mistake, not of the GPU's."""
SEED = "node"
"""What made-up UUIDs of a table depend on, where the inventory names no `node`."""
_TREE = ".tree"
_HOT = 92  # °C
_REMEMBERED = 100  # events; the others are forgotten
Gpus = dict[str, Entry]
Change = Callable[[Entry, Gpus], None]
"""Changes a document and its entries by the GPUs' names."""


def fleet(path: Path, name: str) -> None:
    """The node has the GPUs of a fleet that ships, and none that it had before. Raises InventoryError, OSError."""
    path.with_name(path.name + SETTINGS).unlink(missing_ok=True)
    _replace(path, lambda: document(fleet_file(name)), lambda _document, _gpus: None)


def add(path: Path, name: str, count: int) -> None:
    """A GPU appears: the one of this name, or by default one that was removed, or a new one. Raises InventoryError."""

    def change(_document: Entry, gpus: Gpus) -> None:
        wanted = name or next((gpu for gpu, entry in gpus.items() if entry.get("absent")), f"gpu-{len(gpus)}")
        gpus.setdefault(wanted, {"index": _index(wanted)}).pop("absent", None)

    _change(path, count, change)


def remove(path: Path, name: str, count: int) -> None:
    """A GPU vanishes, and is as it was when it appears again: the one of this name, or by default the last."""
    _change(path, count, lambda _document, gpus: gpus[_known(gpus, name)].update(absent=True))


def sicken(path: Path, name: str, count: int, fault: str = FELL_OFF) -> None:
    """A GPU falls off the bus: the one of this name, or by default the last. Raises InventoryError."""

    def change(written: Entry, gpus: Gpus) -> None:
        gpu = gpus[_known(gpus, name)]
        gpu["fault"] = fault
        gpu.setdefault("health", {})["lost"] = True
        _tell(written, gpu, "xid", code=FELL_OFF_THE_BUS)

    _change(path, count, change)


def xid(path: Path, name: str, count: int, code: int, instances: Sequence[int] = ()) -> None:
    """A GPU's driver tells of an XID; one that is not a program's mistake ails the GPU. Raises InventoryError.

    With ids of a GPU instance and a compute instance it is about that MIG device, and the GPU is well.
    """

    def change(written: Entry, gpus: Gpus) -> None:
        gpu = gpus[_known(gpus, name)]
        if code not in OF_PROGRAMS and not instances:
            gpu["fault"] = f"XID {code}"
        _tell(written, gpu, "xid", code=code, **dict(zip(("gpuInstance", "computeInstance"), instances, strict=False)))

    _change(path, count, change)


def ecc(path: Path, name: str, count: int, errors: int, corrected: bool) -> None:
    """Bits flip in a GPU's memory; what cannot be corrected ails it, and its driver tells. Raises InventoryError."""

    def change(written: Entry, gpus: Gpus) -> None:
        gpu = gpus[_known(gpus, name)]
        health = gpu.setdefault("health", {})
        kind = "corrected" if corrected else "uncorrected"
        health[f"{kind}Ever"] = health.get(f"{kind}Ever", health.get(kind, 0)) + errors
        health[kind] = health.get(kind, 0) + errors
        _tell(written, gpu, "single-bit-ecc" if corrected else "double-bit-ecc")
        if not corrected:
            _tell(written, gpu, "xid", code=DOUBLE_BIT_ERROR)

    _change(path, count, change)


def throttle(path: Path, name: str, count: int, reason: str) -> None:
    """A GPU's clocks are slowed, which does not ail it; it is hot when that is why. Raises InventoryError."""

    def change(_document: Entry, gpus: Gpus) -> None:
        health = gpus[_known(gpus, name)].setdefault("health", {})
        health["throttle"] = sorted({*health.get("throttle", ()), reason})
        if "thermal" in reason:
            health["temperature"] = _HOT

    _change(path, count, change)


def fail(path: Path, name: str, count: int, function: str, error: str) -> None:
    """A function of NVML fails: for the GPU of this name, or by default for all and for the driver itself."""

    def change(written: Entry, gpus: Gpus) -> None:
        of = gpus[_known(gpus, name)] if name else written
        of["errors"] = {**of.get("errors", {}), function: error}

    _change(path, count, change)


def mig(path: Path, name: str, count: int, instances: Sequence[tuple[str, int]] | None) -> None:
    """MIG mode is on, with these instances (profile and start) alone, or off; who listens is told. Raises
    InventoryError."""

    def change(written: Entry, gpus: Gpus) -> None:
        gpu = gpus[_known(gpus, name)]
        gpu.pop("mig", None)
        if instances is not None:
            gpu["mig"] = [{"profile": profile, "start": start} for profile, start in instances]
        _tell(written, gpu, "mig")

    path.with_name(path.name + SETTINGS).unlink(missing_ok=True)
    _change(path, count, change)


def recover(path: Path, name: str, count: int) -> None:
    """A GPU is well again: the one of this name, or by default all of them and the driver. Raises InventoryError."""

    def change(written: Entry, gpus: Gpus) -> None:
        for each in [_known(gpus, name)] if name else list(gpus):
            _cure(gpus[each])
        if not name:
            written.pop("errors", None)

    _change(path, count, change)


def table(path: Path, count: int) -> None:
    """From now on there is a table for NVML, and nothing that was set through it. Raises InventoryError, OSError."""
    path.with_name(path.name + SETTINGS).unlink(missing_ok=True)
    if path.parent.is_dir():
        table_of(path).touch()
    _change(path, count, lambda _document, _gpus: None)


def tree(path: Path, folder: Path, keep: bool) -> None:
    """Write a tree of files below this folder; `keep` it right from now on. Raises InventoryError, OSError."""
    write_tree(load_node(path, SEED), folder)
    if keep:
        tree_of(path).write_text(f"{folder.absolute()}\n", encoding="utf-8")


def tree_of(path: Path) -> Path:
    """The file that names the folder with the tree of an inventory, if it has one."""
    return path.with_name(path.name + _TREE)


def follow(path: Path, stop: threading.Event, say: Callable[[str], None]) -> None:
    """Keep the table of a file up to date with it, until `stop` is set; of a file that is wrong say so, and wait."""

    def renew() -> None:
        try:
            write_table(path, SEED)
        except (InventoryError, OSError) as error:
            say(str(error))

    watch_file(path, renew, stop, at_once=True)


def _cure(gpu: Entry) -> None:
    """Errors of the GPU's whole life stay."""
    for field in ("fault", "errors"):
        gpu.pop(field, None)
    ever = {field: value for field, value in gpu.pop("health", {}).items() if field.endswith("Ever")}
    if ever:
        gpu["health"] = ever


def _tell(written: Entry, gpu: Entry, what: str, **more: int) -> None:
    happened = written.setdefault("happened", [])
    number = happened[-1]["number"] + 1 if happened else 1
    happened.append({"number": number, "gpu": gpu["index"], "what": what, **more})
    del happened[:-_REMEMBERED]


def _change(path: Path, count: int, change: Change) -> None:
    def before() -> Entry:
        return document(path) if path.exists() else {"gpus": [{"index": index} for index in range(count)]}

    _replace(path, before, change)


def _replace(path: Path, before: Callable[[], Entry], change: Change) -> None:
    if not path.parent.is_dir():
        raise InventoryError(f"inventory {path}: there is no folder {path.parent}; make it, or name another file")
    with open(path.with_name(f".{path.name}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        written = before()
        gpus = {f"gpu-{entry['index']}": entry for entry in written["gpus"]}
        change(written, gpus)
        _write(path, {**written, "gpus": list(gpus.values())})
        if tree_of(path).exists():
            write_tree(load_node(path, SEED), Path(tree_of(path).read_text(encoding="utf-8").rstrip("\n")))
        if table_of(path).exists():
            write_table(path, SEED)


def _write(path: Path, written: dict[str, Any]) -> None:
    """Only what can be read again takes the place of what was there."""
    scratch = path.with_name(f".{path.name}.tmp")
    scratch.write_text(json.dumps(written) + "\n", encoding="utf-8")
    try:
        load_node(scratch, SEED)
    except InventoryError as error:
        scratch.unlink()
        raise InventoryError(str(error).replace(str(scratch), str(path))) from error
    os.replace(scratch, path)


def _known(gpus: Gpus, name: str) -> str:
    there = [gpu for gpu, entry in gpus.items() if not entry.get("absent")]
    wanted = name or next(reversed(there), "")
    if wanted not in there:
        raise InventoryError(f"there is no GPU {wanted!r}; there are {', '.join(there) or 'none'}")
    return wanted


def _index(name: str) -> int:
    number = name.removeprefix("gpu-")
    if not number.isdecimal() or f"gpu-{int(number)}" != name:
        raise InventoryError(f"{name!r} is no name of a GPU; names are gpu-0, gpu-1 and so on")
    return int(number)
