"""What ails a GPU: what NVML counts and asks for, looked at from time to time, and XIDs, which it tells once."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from .library import Library

OF_PROGRAMS = frozenset({13, 31, 43, 45, 68, 109})
"""XIDs that tell of a program's mistake, after which the GPU goes on: NVIDIA's catalogue of XIDs calls them so."""
FELL_OFF = "fell off the bus"
HOLD = 30.0  # seconds that an XID ails a GPU for which NVML asks nothing to be done
ACTIONS = {
    1: "it needs a reset",
    2: "the node needs a reboot",
    3: "its peers need to be drained",
    4: "it needs to be drained and reset",
    5: "its IMEX domain needs to be recovered",
    6: "it needs a reset of its bus",
    7: "the system needs a reboot",
}


@dataclass(frozen=True)
class Look:
    """What a look at a GPU has found: its ailment or "", and the recovery action that NVML asks for.

    The action is None where the vendor's driver is too old to tell.
    """

    ailment: str = ""
    action: int | None = None


def look(library: Library, handle: Any) -> Look:
    """Look at a GPU. Raises NvmlFailure."""
    nvml = library.nvml
    kinds = nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, nvml.NVML_VOLATILE_ECC
    uncorrected = library.ask("nvmlDeviceGetTotalEccErrors", handle, *kinds, default=0)
    remapping_failed = library.ask("nvmlDeviceGetRemappedRows", handle, default=(0, 0, 0, 0))[3]
    action = _action(library, handle)
    found = [f"{uncorrected} uncorrected ECC errors"] if uncorrected else []
    found += ["rows of its memory cannot be remapped"] if remapping_failed else []
    found += [ACTIONS.get(action, f"NVML asks for recovery action {action}")] if action else []
    return Look("; ".join(found), action)


def _action(library: Library, handle: Any) -> int | None:
    wanted = [library.nvml.NVML_FI_DEV_GET_GPU_RECOVERY_ACTION]
    values = library.ask("nvmlDeviceGetFieldValues", handle, wanted, default=())
    known = [int(value.value.uiVal) for value in values if value.nvmlReturn == library.nvml.NVML_SUCCESS]
    return known[0] if known else None


@dataclass(frozen=True)
class Xid:
    """An XID that ails a GPU, or one MIG device of it: then with the ids of its instances. `since` is in Unix time.

    `asked`: NVML has asked for a recovery since.
    """

    bus_id: str
    code: int
    since: float
    ids: tuple[int, int] | None = None
    asked: bool = False


class Xids:
    """Those that ail GPUs now. They end when NVML says so, or with the GPU's return from being lost."""

    def __init__(self, known: Iterable[Xid] = ()) -> None:
        self._lock = threading.Lock()
        self._known = {(xid.bus_id, xid.ids): xid for xid in known}

    def all(self) -> tuple[Xid, ...]:
        """All of them."""
        with self._lock:
            return tuple(self._known.values())

    def told(self, xid: Xid) -> None:
        """A GPU told of one; of several, the first is what people look for."""
        with self._lock:
            self._known.setdefault((xid.bus_id, xid.ids), xid)

    def settle(self, bus_id: str, action: int | None, now: float) -> None:
        """Go by the recovery action that a GPU needs: none, after one was needed or for a while, ends its XIDs."""
        with self._lock:
            for key, xid in list(self._known.items()):
                if xid.bus_id != bus_id or action is None:
                    continue
                if action:
                    self._known[key] = replace(xid, asked=True)
                elif xid.asked or not 0 <= now - xid.since < HOLD:
                    del self._known[key]

    def forget(self, bus_ids: Iterable[str]) -> None:
        """These GPUs were reset, or are gone."""
        with self._lock:
            gone = set(bus_ids)
            self._known = {key: xid for key, xid in self._known.items() if xid.bus_id not in gone}


def to_json(xid: Xid) -> dict[str, Any]:
    """As it is kept."""
    return asdict(xid)


def from_json(row: Mapping[str, Any]) -> Xid:
    """From what was kept. Raises KeyError, TypeError."""
    ids = tuple(row["ids"]) if row.get("ids") else None
    return Xid(row["bus_id"], int(row["code"]), float(row["since"]), ids, bool(row.get("asked")))
