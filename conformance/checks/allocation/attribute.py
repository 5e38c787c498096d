"""CEL selectors that choose among published devices by what the driver says about them."""

import json
from collections.abc import Sequence
from typing import Any

from conformance.cluster.embedded.scheduler import quantity

Object = dict[str, Any]


def selector_for(driver: str, device: Object, others: Sequence[Object]) -> str:
    """A CEL expression that is true for `device` and for none of the others; "" when nothing tells them apart.

    It reads only what all of them have: a missing attribute would be an error.
    """
    for name, value in (device.get("attributes") or {}).items():
        domain, _, identifier = name.rpartition("/")
        rivals = [(other.get("attributes") or {}).get(name) for other in others]
        if value in rivals or None in rivals or not identifier.isidentifier():
            continue
        kind, literal = next(iter(value.items()))
        text = f'device.attributes["{domain or driver}"].{identifier}'
        if kind == "int":
            return f"{text} == {literal}"
        if kind == "string":
            return f"{text} == {json.dumps(literal)}"
    return ""


def largest(driver: str, devices: Sequence[Object]) -> str:
    """A CEL expression for the devices with the most of a capacity, such as memory; "" when there is none to read.

    Like `selector_for` it reads only what all of them have.
    """
    for name in devices[0].get("capacity") or {} if devices else ():
        domain, _, identifier = name.rpartition("/")
        found = [device["capacity"][name]["value"] for device in devices if name in (device.get("capacity") or {})]
        if len(found) < len(devices) or not identifier.isidentifier():
            continue
        most = max(map(str, found), key=quantity.parse)
        return f'device.capacity["{domain or driver}"].{identifier}.compareTo(quantity("{most}")) >= 0'
    return ""
