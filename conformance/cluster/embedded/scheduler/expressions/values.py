"""Values of expressions: what Python has no type for, names of types, equality and order.

null is None; bool, int, float, str, bytes, list and dict are themselves, IP addresses those of ipaddress, and networks
interfaces of it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface
from typing import Any

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.semver import Semver

MIN_INT, MAX_INT, MAX_UINT = -(2**63), 2**63 - 1, 2**64 - 1


class UInt(int):
    """An unsigned integer."""


@dataclass(frozen=True)
class Timestamp:
    """A moment, in nanoseconds since 1970."""

    nanoseconds: int


@dataclass(frozen=True)
class Duration:
    """A span of time in nanoseconds."""

    nanoseconds: int


@dataclass(frozen=True)
class TypeName:
    """A type as a value."""

    name: str


@dataclass(frozen=True)
class Optional:
    """A value that may be missing."""

    present: bool
    value: Any = None


@dataclass(frozen=True)
class Quantity:
    """A quantity of a resource.

    scale: the power of ten that Kubernetes counts it in, None for numbers that it does not keep as 64 bits.
    computed: it is the result of a calculation, which Kubernetes compares with nothing.
    """

    number: Decimal
    scale: int | None = field(default=0, compare=False)
    computed: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Url:
    """A parsed URL."""

    scheme: str
    host: str
    path: str
    query: str
    text: str


@dataclass(frozen=True)
class Format:
    """A named format of strings."""

    name: str


NONE = Optional(False)

_TYPE_NAMES: dict[type, str] = {
    type(None): "null_type",
    bool: "bool",
    UInt: "uint",
    int: "int",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    Timestamp: "google.protobuf.Timestamp",
    Duration: "google.protobuf.Duration",
    TypeName: "type",
    Optional: "optional_type",
    Quantity: "kubernetes.Quantity",
    Semver: "kubernetes.Semver",
    Url: "kubernetes.URL",
    Format: "kubernetes.NamedFormat",
    IPv4Address: "net.IP",
    IPv6Address: "net.IP",
    IPv4Interface: "net.CIDR",
    IPv6Interface: "net.CIDR",
}


_KUBERNETES = (Quantity, Semver, Url, Format, IPv4Address, IPv6Address)


def type_name(value: Any) -> str:
    """The name of a value's type."""
    return _TYPE_NAMES.get(type(value), "map")


def go_name(value: Any) -> str:
    """The name of the Go type of a value, which some errors have."""
    short = type_name(value).rpartition(".")[2]
    package = "cel" if type_name(value).startswith(("kubernetes.", "net.")) else "types"
    return f"{package}.{'Null' if value is None else short[:1].upper() + short[1:]}"


def is_number(value: Any) -> bool:
    """Whether it is an int, uint or double."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(one: Any, other: Any) -> bool:
    """Equality: numbers of different types compare by value, all else of different types is not equal.

    Raises EvaluationError where Kubernetes' own types meet others.
    """
    if one is None or other is None:
        return one is other
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other if not isinstance(one, _KUBERNETES) else _same(one, other)
    if is_number(one) and is_number(other):
        return bool(one == other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal_inside, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        same_keys = len(one) == len(other) and all(key in other for key in one)
        return same_keys and all(_equal_inside(item, other[key]) for key, item in one.items())
    if isinstance(one, Optional) and isinstance(other, Optional):
        return one.present == other.present and equal(one.value, other.value)
    return _same(one, other)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, _KUBERNETES) and (type_name(one) != type_name(other) or getattr(other, "computed", False)):
        raise EvaluationError("no such overload")
    return type(one) is type(other) and bool(one == other)


def _equal_inside(one: Any, other: Any) -> bool:
    # An error counts as equal there, as only false is looked for.
    try:
        return equal(one, other)
    except EvaluationError:
        return True


def includes(items: list[Any], item: Any) -> bool:
    """Whether an element equals the item; one that cannot be compared does not."""
    return any(matches(other, item) for other in items)


def matches(one: Any, other: Any) -> bool:
    """Whether both are equal; what cannot be compared is not."""
    try:
        return equal(one, other)
    except EvaluationError:
        return False


def compare(one: Any, other: Any) -> int:
    """-1, 0 or 1. Raises EvaluationError for what has no order."""
    if is_number(one) and is_number(other):
        if any(isinstance(value, float) and math.isnan(value) for value in (one, other)):
            raise EvaluationError("NaN values cannot be ordered")
        return int(one > other) - int(one < other)
    if isinstance(one, Timestamp | Duration) and type(one) is type(other):
        return (one.nanoseconds > other.nanoseconds) - (one.nanoseconds < other.nanoseconds)
    if type(one) is type(other) and isinstance(one, bool | str | bytes):
        if isinstance(one, str):
            one, other = one.encode(), other.encode()
        return int(one > other) - int(one < other)
    raise EvaluationError("no such overload")


def integer(value: int) -> int:
    """The value, if it is an int. Raises EvaluationError."""
    if not MIN_INT <= value <= MAX_INT:
        raise EvaluationError("integer overflow")
    return value


def unsigned(value: int) -> UInt:
    """The value as uint. Raises EvaluationError."""
    if not 0 <= value <= MAX_UINT:
        raise EvaluationError("unsigned integer overflow")
    return UInt(value)
