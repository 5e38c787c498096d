"""Which devices are meant by their names, as far as what is published of them tells."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

Key = tuple[str, str]
"""Pool and device."""
Devices = Mapping[Key, Mapping[str, Any]]
Mark = tuple[str, str]
"""An attribute, and its value."""


def renamed(before: Devices, after: Devices) -> dict[str, str]:
    """Devices that have another name than before: pool and name of each, then and now, as pool/device.

    A device is known by texts that no other device has, such as a serial number, and that are not made of its name.
    Some of these may go with the name, a path, say, or be new each time: it has another name only when all that were
    its own are another name's now.
    """
    now = {mark: key for key, marks in _marks(after).items() for mark in marks}
    found = {}
    for key, marks in _marks(before).items():
        names = {now.get(mark) for mark in marks}
        if len(names) == 1 and (name := names.pop()) not in (None, key):
            found["/".join(key)] = "/".join(name or ())
    return found


def _marks(devices: Devices) -> dict[Key, set[Mark]]:
    """The texts among a device's attributes that only it has under that attribute, without those made of its name."""
    texts = {key: _texts(device, key[1]) for key, device in devices.items()}
    often = Counter(mark for marks in texts.values() for mark in marks)
    return {key: {mark for mark in marks if often[mark] == 1} for key, marks in texts.items()}


def _texts(device: Mapping[str, Any], own: str) -> set[Mark]:
    attributes = device.get("attributes") or {}
    texts = ((name, value["string"]) for name, value in attributes.items() if "string" in value)
    made_of_name = re.compile(rf"(?<![a-z0-9]){re.escape(own)}(?![a-z0-9])", re.IGNORECASE)
    return {(name, text) for name, text in texts if not made_of_name.search(text)}
