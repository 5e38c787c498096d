"""Objects that clients send, read by the types of the version that they are in, as Go reads JSON.

Values of a wrong type are refused with Go's words; fields that nobody knows, and those that are given twice, are noted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.cluster.embedded.apiserver import texts
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.status import bad_request
from conformance.cluster.embedded.apiserver.types import Field, Struct, struct_of

_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_ZERO: Mapping[str, Any] = {"string": "", "bool": False, "int32": 0, "int64": 0, "quantity": "0"}
_BOUNDS = {"int32": 2**31, "int64": 2**63}
_AS_TEXT = {"time": "string", "microtime": "string", "bytes": "[]uint8", "intstr": "string"}


class Repeated(dict[str, Any]):
    """A JSON object that had some keys twice."""

    keys_twice: tuple[str, ...] = ()


def pairs(rows: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object from its members (object_pairs_hook); the last of those with one key counts."""
    found = dict(rows)
    if len(found) == len(rows):
        return found
    seen: set[str] = set()
    twice = tuple(key for key, _ in rows if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    repeated = Repeated(found)
    repeated.keys_twice = tuple(dict.fromkeys(twice))
    return repeated


@dataclass
class Decoding:
    """One object being read: `what` it is, for messages, and what was noted about it, in order.

    nulls: those of structs are kept, as what is applied has a say with them.
    """

    what: str
    notes: list[str] = field(default_factory=list)
    nulls: bool = False

    def refuse(self, text: str) -> Exception:
        """The BadRequest for a value that cannot be read."""
        return bad_request(f"{self.what} cannot be handled as a {self.what.partition(' ')[0]}: {text}")


def decode(struct: Struct, obj: Mapping[str, Any], decoding: Decoding) -> Object:
    """A copy with known fields only, and without nulls unless they are wanted.

    Raises BadRequest for values of a wrong type.
    """
    head = {key: obj[key] for key in ("apiVersion", "kind") if isinstance(obj.get(key), str)}
    rest: Mapping[str, Any] = {key: value for key, value in obj.items() if key not in ("apiVersion", "kind")}
    if isinstance(obj, Repeated):
        kept = Repeated(rest)
        kept.keys_twice = obj.keys_twice
        rest = kept
    return {**head, **_struct(struct, rest, "", "", decoding)}


def _struct(struct: Struct, obj: Mapping[str, Any], path: str, bare: str, decoding: Decoding) -> Object:
    """`path` has indexes and keys, `bare` only the names of fields."""
    found: Object = {}
    fields = struct.fields
    for key, value in obj.items():
        place = f"{path}.{key}" if path else key
        row = fields.get(key)
        if row is None:
            decoding.notes.append(f'unknown field "{place}"')
        elif value is not None:
            name = f"{bare}.{key}" if bare else key
            found[key] = _value(row, value, place, name, struct.name, decoding)
        elif decoding.nulls:
            found[key] = None
    _note_twice(obj, path, decoding)
    return found


def _note_twice(obj: object, path: str, decoding: Decoding) -> None:
    if isinstance(obj, Repeated):
        decoding.notes += [
            f'duplicate field "{path}.{key}"' if path else f'duplicate field "{key}"' for key in obj.keys_twice
        ]


def _value(row: Field, value: Any, path: str, bare: str, owner: str, decoding: Decoding) -> Any:
    if row.is_list:
        if not isinstance(value, list):
            raise _mismatch(row, value, bare, owner, decoding)
        item = row.item
        return [_item(item, one, f"{path}[{index}]", bare, owner, decoding) for index, one in enumerate(value)]
    if row.is_map:
        if not isinstance(value, Mapping):
            raise _mismatch(row, value, bare, owner, decoding)
        _note_twice(value, path, decoding)
        item = row.item
        return {key: _item(item, one, f"{path}.{key}", bare, owner, decoding) for key, one in value.items()}
    if row.struct is not None:
        if not isinstance(value, Mapping):
            raise _mismatch(row, value, bare, owner, decoding)
        return _struct(struct_of(row.struct), value, path, bare, decoding)
    return _leaf(row, value, bare, owner, decoding)


def _item(row: Field, value: Any, path: str, bare: str, owner: str, decoding: Decoding) -> Any:
    """An item of a list or a map, where a null is the empty value of its type."""
    if value is None:
        return {} if row.struct is not None else _ZERO.get(row.kind)
    return _value(row, value, path, bare, owner, decoding)


def _leaf(row: Field, value: Any, bare: str, owner: str, decoding: Decoding) -> Any:
    found = _plain(row, value, bare, owner, decoding)
    try:
        return texts.READERS[row.kind](found) if row.kind in texts.READERS else found
    except ValueError as error:
        raise decoding.refuse(str(error)) from None


def _plain(row: Field, value: Any, bare: str, owner: str, decoding: Decoding) -> Any:
    kind = row.kind
    if kind == "string" or kind in _AS_TEXT:
        if isinstance(value, str) or (kind == "intstr" and type(value) is int and -(2**31) <= value < 2**31):
            return value
        if kind == "intstr" and _is_number(value):
            raise decoding.refuse(f"json: cannot unmarshal number {value} into Go value of type int32")
    elif kind in _BOUNDS:
        if type(value) is int and -_BOUNDS[kind] <= value < _BOUNDS[kind]:
            return value
    elif kind == "bool":
        if isinstance(value, bool):
            return value
    elif kind == "quantity":
        if isinstance(value, str) or _is_number(value):
            return value
        raise decoding.refuse(_QUANTITY)
    else:
        return value
    raise _mismatch(row, value, bare, owner, decoding)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mismatch(row: Field, value: Any, bare: str, owner: str, decoding: Decoding) -> Exception:
    found = f"cannot unmarshal {_found(row, value)} into Go"
    if row.kind in ("time", "microtime", "intstr"):
        return decoding.refuse(f"json: {found} value of type {_go_type(row)}")
    return decoding.refuse(f"json: {found} struct field {owner}.{bare} of type {_go_type(row)}")


def _found(row: Field, value: Any) -> str:
    if _is_number(value):
        # A number of the wrong kind is quoted.
        return f"number {value}" if row.kind in _BOUNDS else "number"
    return {str: "string", bool: "bool", list: "array"}.get(type(value), "object")


def _go_type(row: Field) -> str:
    if row.is_list:
        return f"[]{_go_type(row.item)}"
    if row.is_map:
        return f"map[string]{_go_type(row.item)}"
    if row.struct is not None:
        struct = struct_of(row.struct)
        return f"{struct.version.rpartition('/')[2]}.{struct.name}"
    return row.words.get("go") or _AS_TEXT.get(row.kind, row.kind)
