"""CEL selectors that single out one published device by what the driver says about it."""

import json
from collections.abc import Sequence
from typing import Any

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
