"""From the slices that are there to those that should be: which to update, create and delete, at which generation."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .quantity import amount
from .slice_places import keep_places

Slice = dict[str, Any]


@dataclass
class Plan:
    """Writes that turn a pool into the wanted one, to be done in this order."""

    update: list[Slice] = field(default_factory=list)
    create: list[Slice] = field(default_factory=list)
    delete: list[Slice] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.update or self.create or self.delete)


class Planner:
    """Plans the writes for pools of one driver on one node; `owner` is the owner reference to the Node."""

    def __init__(self, driver: str, node: str) -> None:
        self._driver = driver
        self._node = node
        self._kept: dict[str, str] = {}

    def plan(self, wanted: Sequence[dict[str, Any]], existing: Sequence[Slice], owner: Mapping[str, Any]) -> Plan:
        """Compare the wanted specs of a pool with its slices.

        Devices stay in their slices where that makes fewer writes. One changed slice keeps the generation. Everything
        else that changes the pool gives all its slices a new one, so that a reader never takes an old slice for a new
        one; a pool that has no slices starts at 1 again.
        """
        generation = max((_generation(obj) for obj in existing), default=0)
        wanted = keep_places(wanted, _in_order(existing, generation))
        current, obsolete, twins = self._sort(existing, generation, len(wanted), owner)
        wanted = [_keep_times(spec, existing) for spec in wanted]
        missing = [index for index in range(len(wanted)) if index not in current]
        changed = [index for index, obj in current.items() if not self.same(wanted[index], obj["spec"])]
        plan = Plan(delete=obsolete + twins)
        if missing or len(changed) > 1 or (obsolete and not _all_older(obsolete, generation)):
            generation += 1
            changed = list(current)
        for index in sorted(changed):
            plan.update.append(current[index] | {"spec": _at(wanted[index], generation)})
        plan.create = [self._new(index, _at(wanted[index], generation), owner) for index in missing]
        return plan

    def same(self, wanted: dict[str, Any], actual: dict[str, Any]) -> bool:
        """Whether a stored spec says what is wanted, as far as this server can store it."""
        if _alike(wanted, actual):
            return True
        asked, stored = _normal(wanted), _normal(actual)
        return asked == stored or self._kept.get(asked) == stored

    def note_stored(self, sent: Slice, stored: Slice) -> bool:
        """Learn what the server made of a slice; whether it changed something, as it does with disabled features."""
        if _alike(sent["spec"], stored["spec"]):
            return False
        asked, kept = _normal(_keep_times(sent["spec"], [stored])), _normal(stored["spec"])
        if asked == kept:
            return False
        self._kept[asked] = kept
        return True

    def prefix(self, index: int) -> str:
        """`generateName` of a slice: sorted by index, as the scheduler prefers devices in the order of slice names."""
        return f"{index:05x}-{self._driver}-{self._node}-"

    def _sort(
        self, existing: Sequence[Slice], generation: int, count: int, owner: Mapping[str, Any]
    ) -> tuple[dict[int, Slice], list[Slice], list[Slice]]:
        """Slices to keep by index, those that no longer belong, and twins of an index (two instances published)."""
        current: dict[int, Slice] = {}
        obsolete, twins = [], []
        for obj in sorted(existing, key=_age):
            index = _index(obj)
            if index >= count or _generation(obj) < generation or owner not in _owners(obj):
                obsolete.append(obj)
            elif index in current:
                twins.append(obj)
            else:
                current[index] = obj
        return current, obsolete, twins

    def _new(self, index: int, spec: dict[str, Any], owner: Mapping[str, Any]) -> Slice:
        meta = {"generateName": self.prefix(index), "ownerReferences": [dict(owner)]}
        return {"kind": "ResourceSlice", "metadata": meta, "spec": spec}


def _generation(obj: Slice) -> int:
    return int(obj["spec"]["pool"]["generation"])


def _age(obj: Slice) -> tuple[str, str]:
    return obj["metadata"].get("creationTimestamp", ""), obj["metadata"]["name"]


def _owners(obj: Slice) -> list[Any]:
    return obj["metadata"].get("ownerReferences") or []


def _index(obj: Slice) -> int:
    match = re.match(r"[0-9a-f]{5,}(?=-)", obj["metadata"]["name"])
    return int(match[0], 16) if match else 1 << 62


def _in_order(existing: Sequence[Slice], generation: int) -> list[Mapping[str, Any]]:
    """The specs of a pool that is whole, in order; none of one that is not."""
    specs = {_index(obj): obj["spec"] for obj in existing if _generation(obj) == generation}
    whole = sorted(specs) == list(range(len(existing)))
    return [specs[index] for index in sorted(specs)] if whole else []


def _all_older(slices: Sequence[Slice], generation: int) -> bool:
    return all(_generation(obj) < generation for obj in slices)


def _at(spec: dict[str, Any], generation: int) -> dict[str, Any]:
    return spec | {"pool": spec["pool"] | {"generation": generation}}


def _keep_times(spec: dict[str, Any], existing: Sequence[Slice]) -> dict[str, Any]:
    """Take over when a taint was added, which the server fills in, from the same taint of the same device."""
    times = {
        (device["name"], taint["key"], taint.get("value"), taint["effect"]): taint["timeAdded"]
        for obj in existing
        for device in obj["spec"].get("devices") or ()
        for taint in device.get("taints") or ()
        if "timeAdded" in taint
    }
    if not times:
        return spec
    spec = _copy(spec)
    for device in spec.get("devices") or ():
        for taint in device.get("taints") or ():
            known = times.get((device["name"], taint["key"], taint.get("value"), taint["effect"]))
            if known:
                taint.setdefault("timeAdded", known)
    return spec


def _copy(spec: dict[str, Any]) -> dict[str, Any]:
    """A deep copy in which nothing is shared, unlike copy.deepcopy: a driver may use one taint for many devices."""
    copied: dict[str, Any] = json.loads(json.dumps(spec))
    return copied


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two specs are equal but for the generation; most are, and this is quick to find out."""
    return _at(one, 0) == _at(other, 0)


def _normal(spec: dict[str, Any]) -> str:
    """A form that is equal for specs that mean the same, whatever their generation."""
    spec = _copy(spec)
    spec.get("pool", {}).pop("generation", None)
    for device in spec.get("devices") or ():
        for capacity in (device.get("capacity") or {}).values():
            capacity["value"] = _amount(capacity["value"])
        for use in device.get("consumesCounters") or ():
            _normal_counters(use)
    for counters in spec.get("sharedCounters") or ():
        _normal_counters(counters)
    return json.dumps(_without_empty(spec), sort_keys=True)


def _normal_counters(holder: dict[str, Any]) -> None:
    for counter in (holder.get("counters") or {}).values():
        counter["value"] = _amount(counter["value"])


def _amount(quantity: str) -> str:
    try:
        return str(amount(quantity).normalize())
    except ValueError:  # left to the server, which says what is wrong with it
        return quantity


def _without_empty(spec: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if value not in (None, [], {})}
