"""Events of made-up hardware: an inventory file is changed, and the drivers that follow it see GPUs come, go and fail.

The file is replaced at one stroke. Where there is none yet it is made, with the GPUs of a node that has no file.
"""

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path

from .inventory import Entry, InventoryError, entries

FAULT = "fell off the bus"


def add(path: Path, name: str, count: int) -> None:
    """A GPU appears: the one of this name, or by default one that was removed, or a new one. Raises InventoryError."""

    def change(gpus: dict[str, Entry]) -> None:
        wanted = name or next((gpu for gpu, entry in gpus.items() if entry.get("absent")), f"gpu-{len(gpus)}")
        gpus.setdefault(wanted, {"index": _index(wanted)}).pop("absent", None)

    _change(path, count, change)


def remove(path: Path, name: str, count: int) -> None:
    """A GPU vanishes, and is as it was when it appears again: the one of this name, or by default the last."""
    _change(path, count, lambda gpus: gpus[_known(gpus, name)].update(absent=True))


def sicken(path: Path, name: str, count: int, fault: str = FAULT) -> None:
    """A GPU fails: the one of this name, or by default the last. Raises InventoryError."""
    _change(path, count, lambda gpus: gpus[_known(gpus, name)].update(fault=fault))


def recover(path: Path, name: str, count: int) -> None:
    """A GPU is well again: the one of this name, or by default all of them. Raises InventoryError."""

    def change(gpus: dict[str, Entry]) -> None:
        for each in [_known(gpus, name)] if name else list(gpus):
            gpus[each].pop("fault", None)

    _change(path, count, change)


def _change(path: Path, count: int, change: Callable[[dict[str, Entry]], None]) -> None:
    with open(path.with_name(f".{path.name}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = entries(path) if path.exists() else [{"index": index} for index in range(count)]
        gpus = {f"gpu-{entry['index']}": entry for entry in found}
        change(gpus)
        scratch = path.with_name(f".{path.name}.tmp")
        scratch.write_text(json.dumps({"gpus": list(gpus.values())}) + "\n", encoding="utf-8")
        os.replace(scratch, path)


def _known(gpus: dict[str, Entry], name: str) -> str:
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
