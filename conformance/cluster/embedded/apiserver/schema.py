"""What fields an object may have: unknown ones are dropped or refused, values of a wrong type are refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.cluster.embedded.apiserver.objects import clone
from conformance.cluster.embedded.apiserver.status import bad_request

_QUANTITY = re.compile(r"^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$")


@dataclass
class Reading:
    """One object being read: the kind, for messages, and the paths of fields that nobody knows."""

    kind: str
    unknown: list[str] = field(default_factory=list)

    def refuse(self, path: str, found: object, wanted: str) -> Exception:
        """The BadRequest for a value of the wrong type."""
        what = {str: "string", bool: "bool", int: "number", float: "number", dict: "object", list: "array"}[type(found)]
        return bad_request(
            f"{self.kind} cannot be handled: json: cannot unmarshal {what} into Go struct field {path} of type {wanted}"
        )


class Schema:
    """A part of an object."""

    def read(self, value: Any, path: str, reading: Reading, /) -> Any:
        """The value as it is stored; None when it is dropped."""
        raise NotImplementedError


@dataclass(frozen=True)
class Leaf(Schema):
    """A value of one JSON type."""

    name: str
    types: tuple[type, ...]

    def read(self, value: Any, path: str, reading: Reading, /) -> Any:
        if type(value) not in self.types:
            raise reading.refuse(path, value, self.name)
        return value


class AnyValue(Schema):
    """A value that the API server does not look into."""

    def read(self, value: Any, _path: str, _reading: Reading, /) -> Any:
        return clone(value)


class Quantity(Schema):
    """A resource quantity."""

    def read(self, value: Any, path: str, reading: Reading, /) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise reading.refuse(path, value, "resource.Quantity")
        if not _QUANTITY.match(str(value)):
            raise bad_request(
                f"{reading.kind} cannot be handled: quantities must match the regular expression '{_QUANTITY.pattern}'"
            )
        return str(value)


@dataclass(frozen=True)
class Off(Schema):
    """A field whose feature gate is off in a default cluster: known, but dropped without a word."""

    def read(self, _value: Any, _path: str, _reading: Reading, /) -> Any:
        return None


@dataclass(frozen=True)
class ListOf(Schema):
    """A list."""

    item: Schema

    def read(self, value: Any, path: str, reading: Reading, /) -> Any:
        if not isinstance(value, list):
            raise reading.refuse(path, value, "[]")
        return [self.item.read(item, f"{path}[{index}]", reading) for index, item in enumerate(value)]


@dataclass(frozen=True)
class MapOf(Schema):
    """A map with keys of the writer's choice."""

    item: Schema

    def read(self, value: Any, path: str, reading: Reading, /) -> Any:
        if not isinstance(value, Mapping):
            raise reading.refuse(path, value, "map[string]")
        return {key: self.item.read(item, f"{path}[{key}]", reading) for key, item in value.items()}


@dataclass(frozen=True)
class Struct(Schema):
    """An object with known fields. A null is a field that is not there."""

    fields: Mapping[str, Schema]

    def read(self, value: Any, path: str, reading: Reading, /) -> Any:
        if not isinstance(value, Mapping):
            raise reading.refuse(path, value, "struct")
        known = {}
        for key, item in value.items():
            place = f"{path}.{key}" if path else key
            schema = self.fields.get(key)
            if schema is None:
                reading.unknown.append(place)
            elif item is not None:
                kept = schema.read(item, place, reading)
                if kept is not None:
                    known[key] = kept
        return known


STRING = Leaf("string", (str,))
INTEGER = Leaf("int64", (int,))
BOOLEAN = Leaf("bool", (bool,))
QUANTITY = Quantity()
ANY = AnyValue()
OFF = Off()
STRINGS = ListOf(STRING)
