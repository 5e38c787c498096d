"""What a driver publishes: pools of devices, and how a pool is cut into ResourceSlices."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .errors import PluginError

MAX_DEVICES = 128
MAX_DEVICES_WITH_EXTRAS = 64  # once a device has taints, counters or list attributes
MAX_COUNTER_SETS = 8
_LISTS = ("ints", "bools", "strings", "versions")


class Version(str):
    """A semantic version (x.y.z), to be published as a version attribute rather than a string."""

    __slots__ = ()


@dataclass(frozen=True)
class Device:
    """A device of a pool. Names without a domain belong to the driver's; capacities are Kubernetes quantities.

    `extra` is merged into the API object: taints, consumesCounters, allowMultipleAllocations and the like.
    """

    name: str
    attributes: Mapping[str, int | bool | str | Version] = field(default_factory=dict)
    capacity: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_api(self) -> dict[str, Any]:
        """The entry of `spec.devices`."""
        entry: dict[str, Any] = {"name": self.name}
        if self.attributes:
            entry["attributes"] = {name: attribute(value) for name, value in self.attributes.items()}
        if self.capacity:
            entry["capacity"] = {name: {"value": value} for name, value in self.capacity.items()}
        return entry | dict(self.extra)


@dataclass(frozen=True)
class Pool:
    """The devices of a pool in order of preference, and the counter sets that they share."""

    devices: Sequence[Device] = ()
    shared_counters: Sequence[Mapping[str, Any]] = ()

    @cached_property
    def named(self) -> Mapping[str, Device]:
        """The devices by name; the first one where a name comes twice."""
        return {device.name: device for device in reversed(self.devices)}


def attribute(value: int | bool | str | Version) -> dict[str, Any]:
    """The API's typed form of an attribute value."""
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": value}
    return {"version": str(value)} if isinstance(value, Version) else {"string": value}


class SliceBuilder:
    """Cuts pools of one driver on one node into the specs of their slices.

    With `room_for_taints` slices are so small that any device may get a taint and stay where it is.
    """

    room_for_taints = False

    def __init__(self, driver: str, node: str) -> None:
        self._driver = driver
        self._node = node

    def build(self, name: str, pool: Pool) -> list[dict[str, Any]]:
        """Specs in order, without a generation. An empty pool is one empty slice: the driver is up, nothing is here.

        Raises PluginError when the pool contradicts itself, as the scheduler would ignore all of it.
        """
        devices = [device.to_api() for device in pool.devices]
        _check(name, devices, pool.shared_counters)
        size = MAX_DEVICES_WITH_EXTRAS if self.room_for_taints else most_devices(devices)
        parts: list[dict[str, Any]] = [
            {"sharedCounters": part} for part in _cut(pool.shared_counters, MAX_COUNTER_SETS)
        ]
        parts += [{"devices": part} for part in _cut(devices, size)]
        parts = parts or [{"devices": []}]
        count = {"name": name, "resourceSliceCount": len(parts)}
        return [{"driver": self._driver, "nodeName": self._node, "pool": dict(count)} | part for part in parts]


def _cut(items: Sequence[Any], size: int) -> list[list[Any]]:
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


def most_devices(devices: Sequence[Mapping[str, Any]]) -> int:
    """How many devices a slice may have that has these."""
    return MAX_DEVICES_WITH_EXTRAS if any(map(_has_extras, devices)) else MAX_DEVICES


def _has_extras(device: Mapping[str, Any]) -> bool:
    if device.get("taints") or device.get("consumesCounters"):
        return True
    return any(key in value for value in device.get("attributes", {}).values() for key in _LISTS)


def _check(pool: str, devices: Sequence[Mapping[str, Any]], counters: Sequence[Mapping[str, Any]]) -> None:
    for what, names in (("device", devices), ("counter set", counters)):
        twice = [name for name, times in Counter(entry["name"] for entry in names).items() if times > 1]
        if twice:
            raise PluginError(f"pool {pool} has the {what} {twice[0]} more than once")
    sets = {entry["name"]: entry["counters"] for entry in counters}
    for device in devices:
        for use in device.get("consumesCounters") or ():
            missing = set(use["counters"]) - set(sets.get(use["counterSet"], ()))
            if missing:
                raise PluginError(
                    f"device {device['name']} of pool {pool} uses counter {min(missing)} of counter set"
                    f" {use['counterSet']}, which the pool does not have"
                )
