"""The largest sizes of what a device has, by the path to it.

Source: sizeEstimator of dynamic-resource-allocation/cel/compile.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from conformance.cluster.embedded.scheduler.expressions.ranges import Range

Path = tuple[str, ...]

_NAME, _DOMAIN, _DRIVER, _ATTRIBUTE, _ATTRIBUTES = 32, 63, 63, 64, 32


@dataclass(frozen=True)
class _Part:
    """A part of a device: how large it may be and what is in it."""

    largest: int
    fields: Mapping[str, "_Part"] = field(default_factory=dict)
    key: "_Part | None" = None
    item: "_Part | None" = None
    # Items may be selected by name, too: only attributes.
    named: bool = False


@cache
def _device() -> _Part:
    attributes = _Part(_ATTRIBUTES, key=_Part(_NAME), item=_Part(_ATTRIBUTE), named=True)
    # A quantity has no declared size, which counts as none.
    capacity = _Part(_ATTRIBUTES, key=_Part(_NAME), item=_Part(0))
    return _Part(
        0,
        {
            "driver": _Part(_DRIVER),
            "allowMultipleAllocations": _Part(1),
            "attributes": _Part(_ATTRIBUTES, key=_Part(_DOMAIN), item=attributes),
            "capacity": _Part(_ATTRIBUTES, key=_Part(_DOMAIN), item=capacity),
        },
    )


def size_of(path: Sequence[str]) -> Range | None:
    """The size of what a path leads to, None where nothing is declared."""
    if not path or path[0] != "device":
        return None
    part: _Part | None = _device()
    for name in path[1:]:
        if part is None:
            return None
        if name in ("@items", "@values"):
            part = part.item
        elif name == "@keys":
            part = part.key
        else:
            part = part.fields.get(name) or (part.item if part.named else None)
    return None if part is None else Range(0, part.largest)
