"""Sets of fields, as managedFields hold them (FieldsV1), and what differs between two objects.

A path is a tuple of elements: `f:name` for a field or a key of a map, `k:{…}` for an item of a list that is told apart
by fields, `v:value` for one of a set. Source: sigs.k8s.io/structured-merge-diff, fieldpath and typed.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.cluster.embedded.apiserver.types import Field, Struct, struct_of

Path = tuple[str, ...]
Paths = frozenset[Path]

NOTHING: Any = object()


@dataclass
class Difference:
    """The fields that the second of two objects has more, has otherwise, and lacks."""

    added: set[Path] = field(default_factory=set)
    modified: set[Path] = field(default_factory=set)
    removed: set[Path] = field(default_factory=set)

    def where(self, wanted: Callable[[Path], bool]) -> "Difference":
        """Only the fields that are wanted."""
        return Difference(*(set(filter(wanted, paths)) for paths in (self.added, self.modified, self.removed)))


def root(struct: Struct) -> Field:
    """A struct as the type of a whole object."""
    return Field("", 0, struct.full_name)


def children(row: Field, value: Any) -> Iterator[tuple[str, Field, Any]]:
    """The parts of a value that are owned by themselves: element, type, value. Raises TypeError for an atomic one."""
    if row.is_list:
        for item in value:
            yield element(row, item), row.item, item
    elif row.is_map:
        for key, item in value.items():
            yield f"f:{key}", row.item, item
    else:
        fields = fields_of(row)
        for key, item in value.items():
            yield f"f:{key}", fields.get(key, _UNKNOWN), item


_UNKNOWN = Field("", 0, "raw")


def fields_of(row: Field) -> Mapping[str, Field]:
    """The fields of a struct."""
    return struct_of(row.kind).fields


def is_leaf(row: Field) -> bool:
    """Whether a value of the type is owned as a whole."""
    if row.is_list:
        return row.keys is None
    return row.atomic or not (row.is_map or row.struct)


def element(row: Field, item: Any) -> str:
    """What tells an item of a list apart, as an element of a path."""
    if not row.keys:
        return f"v:{json.dumps(item)}"
    fields = fields_of(row.item)
    key = {name: item.get(name, fields[name].words.get("default")) for name in sorted(row.keys)}
    return "k:" + json.dumps({name: value for name, value in key.items() if value is not None}, separators=(",", ":"))


def compare(row: Field, old: Any, new: Any, path: Path = (), found: Difference | None = None) -> Difference:
    """What differs between two values of a type; NOTHING for one that is not there."""
    found = Difference() if found is None else found
    if is_leaf(row) or not (_holds(old) or _holds(new)):
        if old is NOTHING:
            found.added.add(path)
        elif new is NOTHING:
            found.removed.add(path)
        elif old != new:
            found.modified.add(path)
        return found
    before, after = (_parts(row, value) if _holds(value) else {} for value in (old, new))
    for name in before | after:
        place, (kind, _) = (*path, name), after.get(name) or before[name]
        was, now = (rows[name][1] if name in rows else NOTHING for rows in (before, after))
        if name in before and name in after and (before[name][0] is _UNKNOWN) != (kind is _UNKNOWN):
            # It is a whole now, or no longer.
            found.modified.add(place)
            found.removed |= set(field_set(before[name][0], was, place)) - {place}
            found.added |= set(field_set(kind, now, place)) - {place}
            continue
        compare(kind, was, now, place, found)
    if path and old is NOTHING:
        found.added.add(path)
    elif path and new is NOTHING:
        found.removed.add(path)
    return found


def _parts(row: Field, value: Any) -> dict[str, tuple[Field, Any]]:
    """The parts of a value by their elements; items that have one in common are a whole."""
    found: dict[str, tuple[Field, Any]] = {}
    for name, kind, item in children(row, value):
        found[name] = (_UNKNOWN, [found[name][1], item]) if name in found else (kind, item)
    return found


def _holds(value: Any) -> bool:
    return value is not NOTHING and bool(value)


def field_set(row: Field, value: Any, path: Path = ()) -> Iterator[Path]:
    """All fields of a configuration (ToFieldSet): leaves, empty parts, keys of maps and items of lists.

    Of a list whose items are owned one by one nothing is left when it is empty.
    """
    if is_leaf(row) or value is None:
        yield path
        return
    for name, (kind, item) in _parts(row, value).items():
        place = (*path, name)
        if row.is_list or row.is_map or item in ({}, None) or (item == [] and kind.keys is None):
            yield place
        if is_leaf(kind) or item:
            yield from field_set(kind, item, place)


def encode(paths: Iterable[Path]) -> dict[str, Any]:
    """FieldsV1."""
    tree: dict[str, Any] = {}
    members = set(paths)
    for path in sorted(members):
        node = tree
        for depth, name in enumerate(path):
            if name not in node:
                node[name] = {}
            node = node[name]
            if depth + 1 < len(path) and path[: depth + 1] in members:
                node["."] = {}
    return tree


def decode(tree: Mapping[str, Any], path: Path = ()) -> Iterator[Path]:
    """The paths that FieldsV1 stands for."""
    for name, below in tree.items():
        if name == ".":
            yield path
            continue
        place = (*path, name)
        if not below:
            yield place
        yield from decode(below, place)


def with_named(row: Field, paths: Paths) -> Paths:
    """The paths with all fields of structs above them (EnsureNamedFieldsAreMembers)."""
    found = set(paths)
    for path in paths:
        kind: Field | None = row
        for depth, name in enumerate(path[:-1]):
            declared = kind is not None and kind.struct is not None and name[2:] in fields_of(kind)
            if declared:
                found.add(path[: depth + 1])
            kind = _below(kind, name) if kind is not None else None
    return frozenset(found)


def _below(row: Field, name: str) -> Field | None:
    if row.is_list or row.is_map:
        return row.item
    return fields_of(row).get(name[2:]) if row.struct else None


def without(row: Field, value: Any, paths: Paths) -> Any:
    """The value without these fields (RemoveItems); what is left with nothing in it is NOTHING."""
    if is_leaf(row) or not value:
        # An atomic list or map that something inside of was to go from goes as a whole; so does what is empty.
        return value if row.struct is None and not row.is_list and not row.is_map else NOTHING
    heads: dict[str, set[Path]] = {}
    for path in paths:
        heads.setdefault(path[0], set()).add(path[1:])
    kept = []
    for name, kind, item in children(row, value):
        below = heads.get(name)
        if below and () in below:
            continue
        left = without(kind, item, frozenset(below)) if below else item
        kept.append((name, None if left is NOTHING else left))
    if not kept:
        return NOTHING
    return [item for _, item in kept] if row.is_list else {name[2:]: item for name, item in kept}


def text(path: Path) -> str:
    """A path as messages have it, such as .spec.containers[name="c"].image."""
    return "".join(map(_element_text, path))


def _element_text(name: str) -> str:
    kind, value = name[:2], name[2:]
    if kind == "f:":
        return f".{value}"
    if kind == "v:":
        return f"[={value}]"
    keys = json.loads(value)
    return "[" + ",".join(f"{key}={json.dumps(keys[key])}" for key in sorted(keys)) + "]"
