"""Devices stay in the slices that they are in, where that saves writes.

A pool is cut into slices in the order of its devices, so that one more or less would move all that come after it, and
every slice of the pool would have to be written, with a new generation. A change that fits into one slice is one write.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Spec = dict[str, Any]
Names = Sequence[str]


def keep_places(wanted: Sequence[Spec], stored: Sequence[Mapping[str, Any]]) -> list[Spec]:
    """The wanted specs of a pool, cut as it is now but for one slice; cut as they came where more would change.

    `stored` are all specs that the pool has, in order. No slice gets larger than the largest that is wanted.
    """
    counters = [spec for spec in wanted if "devices" not in spec]
    rest = [spec for spec in wanted if "devices" in spec]
    now = [_names(spec) for spec in stored]
    if not rest or list(map(_names, wanted)) == now or list(map(_names, counters)) != now[: len(counters)]:
        return list(wanted)
    devices = [device for spec in rest for device in spec["devices"]]
    parts = _cut(devices, now[len(counters) :], max(len(spec["devices"]) for spec in rest))
    if parts is None:
        return list(wanted)
    specs = [*counters, *(rest[0] | {"devices": part} for part in parts)]
    return [spec | {"pool": spec["pool"] | {"resourceSliceCount": len(specs)}} for spec in specs]


def _names(spec: Mapping[str, Any]) -> list[str]:
    return [entry["name"] for entry in spec.get("devices") or spec.get("sharedCounters") or ()]


def _cut(devices: Sequence[Any], now: Sequence[Names], most: int) -> list[list[Any]] | None:
    """The devices in slices like those of now, but for one; None where that cannot be."""
    names = [device["name"] for device in devices]
    before = _in_place(names, now)
    others = names[sum(map(len, now[:before])) :]
    behind = _in_place(others[::-1], [part[::-1] for part in reversed(now[before:])])
    if len(now) - before - behind > 1:
        return None
    for changed in range(max(0, len(now) - behind - 1), min(before + 1, len(now))):
        parts = _with_one_changed(devices, now, changed)
        if all(0 < len(part) <= most for part in parts):
            return parts
    return None


def _in_place(names: Names, now: Sequence[Names]) -> int:
    """How many slices, from the first on, have the devices that they should have."""
    start = 0
    for count, part in enumerate(now):
        if list(names[start : start + len(part)]) != list(part):
            return count
        start += len(part)
    return len(now)


def _with_one_changed(devices: Sequence[Any], now: Sequence[Names], changed: int) -> list[list[Any]]:
    sizes = [len(part) for part in now]
    sizes[changed] += len(devices) - sum(sizes)
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    return [list(devices[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
