"""Devices that are alike, and the attributes that some of them lack."""

import json
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

Object = dict[str, Any]

STANDARD = "resource.kubernetes.io/"
"""Attributes in Kubernetes' own domain may be missing: a device of no NUMA node has none of that name."""
MANY = 4  # devices: of fewer, each may well be of a kind of its own
_OWN = ("name", "attributes", "capacity", "taints")


def lacking(devices: Sequence[Object]) -> list[str]:
    """Attributes that a device lacks and another one has that is of the same kind, a sentence for one of each sort.

    That devices are of one kind is sure only where they differ in nothing else, but for what is different with every
    device, such as serial numbers: what a driver has of several kinds has reason to have other attributes.
    """
    single = set(_different_everywhere(devices))
    sorts = {json.dumps(_kind(device, single), sort_keys=True): device for device in reversed(devices)}
    found = {}
    for poor, rich in permutations(reversed(sorts.values()), 2):
        missing = _names(rich) - _names(poor)
        if missing and poor["name"] not in found and _kind(poor, single) == _kind(rich, single | missing):
            found[poor["name"]] = f"{poor['name']} lacks {', '.join(sorted(missing))}, which {rich['name']} has"
    return list(found.values())


def _kind(device: Object, leaving_out: set[str]) -> Object:
    """What a device has in common with others of its kind, without some attributes."""
    attributes = {name: value for name, value in _attributes(device).items() if name not in leaving_out}
    others = sorted(key for key in device if key not in _OWN)
    return {"attributes": attributes, "capacity": device.get("capacity"), "fields": others}


def _different_everywhere(devices: Sequence[Object]) -> Iterator[str]:
    """Names of attributes that all devices have, each with another value; none where there are few devices."""
    for name in set.intersection(*(_names(device) for device in devices)) if len(devices) >= MANY else ():
        values = [_attributes(device)[name] for device in devices]
        if all(value not in values[:place] for place, value in enumerate(values)):
            yield name


def _attributes(device: Object) -> Object:
    found = device.get("attributes") or {}
    return {name: value for name, value in found.items() if not name.startswith(STANDARD)}


def _names(device: Object) -> set[str]:
    return set(_attributes(device))
