"""What expressions may name: functions, types and the variable `device`.

Source: dynamic-resource-allocation/cel/compile.go and apiserver/pkg/cel/environment/base.go. New expressions see
attributes as `any`, which cannot be ranged over, as lists as attributes are alpha; stored ones see them as `dyn`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from conformance.cluster.embedded.scheduler.expressions.types import (
    ANY,
    BOOL,
    DYN,
    STRING,
    Type,
    list_of,
    map_of,
    read_type,
    split_types,
    type_of,
)

_LINE = re.compile(r"(?P<id>[^:]+): (?P<member>\.?)(?P<function>[^(]+)\((?P<parameters>.*)\) -> (?P<result>.+)")
_ONLY_STORED = ("list_includes_dyn_dyn",)
DEVICE = read_type("kubernetes.DRADevice")
_QUANTITY = read_type("kubernetes.Quantity")
_NAMED_TYPES = {
    **{name: read_type(name) for name in ("bool", "bytes", "double", "int", "string", "uint")},
    "google.protobuf.Duration": read_type("duration"),
    "google.protobuf.Timestamp": read_type("timestamp"),
    "list": list_of(DYN),
    "map": map_of(DYN, DYN),
    "null_type": read_type("null"),
    "type": read_type("type"),
    "net.CIDR": read_type("net.CIDR"),
    "net.IP": read_type("net.IP"),
    "optional_type": read_type("optional(V)"),
    DEVICE.name: DEVICE,
}


@dataclass(frozen=True)
class Overload:
    """One form of a function; the target of a method (`member`) is its first parameter."""

    id: str
    function: str
    member: bool
    parameters: tuple[Type, ...]
    result: Type


@dataclass(frozen=True)
class Declarations:
    """One environment."""

    functions: Mapping[str, Sequence[Overload]]
    identifiers: Mapping[str, Type]
    # Kubernetes' other types have no fields that an expression could name.
    fields: Mapping[str, Mapping[str, Type]]
    attribute: Type


@cache
def declarations(*, stored: bool) -> Declarations:
    """The environment of expressions in objects that are written now, or that were stored before."""
    attribute = DYN if stored else ANY
    fields = {
        "driver": STRING,
        "allowMultipleAllocations": BOOL,
        "attributes": map_of(STRING, map_of(STRING, attribute)),
        "capacity": map_of(STRING, map_of(STRING, _QUANTITY)),
    }
    functions = {
        name: kept
        for name, rows in _functions().items()
        if (kept := [row for row in rows if stored or row.id not in _ONLY_STORED])
    }
    identifiers = {name: type_of(kind) for name, kind in _NAMED_TYPES.items()} | {"device": DEVICE}
    return Declarations(functions, identifiers, {DEVICE.name: fields}, attribute)


@cache
def _functions() -> dict[str, list[Overload]]:
    found: dict[str, list[Overload]] = {}
    for line in files(__package__).joinpath("functions.txt").read_text().splitlines():
        if not line.startswith("#"):
            overload = _overload(line)
            found.setdefault(overload.function, []).append(overload)
    return found


def _overload(line: str) -> Overload:
    row = _LINE.fullmatch(line)
    if row is None:
        raise ValueError(f"functions.txt: cannot read {line!r}")
    parameters = tuple(map(read_type, split_types(row["parameters"])))
    return Overload(row["id"], row["function"], bool(row["member"]), parameters, read_type(row["result"]))
