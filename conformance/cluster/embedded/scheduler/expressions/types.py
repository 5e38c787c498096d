"""Types of expressions, and their names in error texts (cel-go's common/types and checker/format.go)."""

from dataclasses import dataclass
from functools import cache

_LONG_NAMES = {
    "any": "google.protobuf.Any",
    "duration": "google.protobuf.Duration",
    "null": "null_type",
    "timestamp": "google.protobuf.Timestamp",
}
# Types of Kubernetes with fields, as far as the checker is concerned; others are opaque.
_STRUCT_PREFIX = "kubernetes."


@dataclass(frozen=True)
class Type:
    """A type. kind: its name, or "list", "map", "type", "param", "struct", "opaque"."""

    kind: str
    name: str
    parameters: tuple["Type", ...] = ()

    def __str__(self) -> str:
        """As in the texts of the checker."""
        shown = "optional_type" if self.name == "optional" else self.name
        return f"{shown}({', '.join(map(str, self.parameters))})" if self.parameters else shown

    @property
    def long_name(self) -> str:
        """As in other texts: google.protobuf.Duration, not duration."""
        shown = f"<{self.name}>" if self.kind == "param" else self.runtime_name
        rows = ", ".join(item.long_name for item in self.parameters)
        return f"{shown}({rows})" if rows else shown

    @property
    def runtime_name(self) -> str:
        """The name without parameters."""
        return "optional_type" if self.name == "optional" else _LONG_NAMES.get(self.name, self.name)

    @property
    def dynamic(self) -> bool:
        """Whether anything may be in it."""
        return self.kind in ("dyn", "any")


def _plain(name: str) -> Type:
    return Type(name, name)


ANY, BOOL, BYTES, DOUBLE, DURATION, DYN = map(_plain, ("any", "bool", "bytes", "double", "duration", "dyn"))
INT, NULL, STRING, TIMESTAMP, UINT = map(_plain, ("int", "null", "string", "timestamp", "uint"))
ERROR = Type("error", "!error!")
TYPE = Type("type", "type")
_PLAIN = {kind.name: kind for kind in (ANY, BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, UINT)}


def list_of(item: Type) -> Type:
    """list(item)."""
    return Type("list", "list", (item,))


def map_of(key: Type, value: Type) -> Type:
    """map(key, value)."""
    return Type("map", "map", (key, value))


def optional_of(item: Type) -> Type:
    """optional_type(item)."""
    return Type("opaque", "optional", (item,))


def type_of(item: Type) -> Type:
    """The type of a type."""
    return Type("type", "type", (item,))


def param(name: str) -> Type:
    """A type parameter."""
    return Type("param", name)


def unwrap(kind: Type) -> tuple[Type, bool]:
    """What is in an optional, and whether it is one."""
    return (kind.parameters[0], True) if kind.name == "optional" else (kind, False)


@cache
def read_type(text: str) -> Type:
    """The type that a text such as `map(K, list(int))` names; single capital letters are parameters."""
    name, bracket, rest = text.partition("(")
    parameters = tuple(read_type(part) for part in split_types(rest[:-1])) if bracket else ()
    if name in _PLAIN:
        return _PLAIN[name]
    if len(name) == 1 and name.isupper():
        return param(name)
    if name in ("list", "map", "type"):
        return Type(name, name, parameters)
    return Type("struct" if name.startswith(_STRUCT_PREFIX) else "opaque", name, parameters)


def split_types(text: str) -> list[str]:
    """The parts of a list of types, at the commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()] if text.strip() else []
