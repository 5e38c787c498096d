"""Strategic merge patches: lists with merge keys are merged item by item.

Source: k8s.io/apimachinery/pkg/util/strategicpatch. A field whose type is not known is merged as in a merge patch.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver.objects import clone
from conformance.cluster.embedded.apiserver.reading import shown_patch
from conformance.cluster.embedded.apiserver.status import unexplained
from conformance.cluster.embedded.apiserver.types import Field, Struct, struct_of

_DELETE, _ORDER = "$deleteFromPrimitiveList/", "$setElementOrder/"


def strategic_merge(struct: Struct, old: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The object after the patch. Raises BadRequest for a malformed one."""
    return _struct(struct.fields, old, patch)


def _struct(fields: Mapping[str, Field], old: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    action = patch.get("$patch")
    if action == "replace":
        return {key: clone(value) for key, value in patch.items() if key != "$patch"}
    if action == "delete":
        return {}
    new = dict(old)
    _retain(new, patch)
    for key, value in patch.items():
        if key.startswith(_DELETE):
            name = key.removeprefix(_DELETE)
            new[name] = [item for item in new.get(name) or [] if item not in value]
        elif key.startswith("$"):
            continue
        elif value is None:
            new.pop(key, None)
        else:
            new[key] = _value(fields.get(key), new.get(key), value)
    for key, value in patch.items():
        if key.startswith(_ORDER):
            name = key.removeprefix(_ORDER)
            row = fields.get(name)
            if isinstance(new.get(name), list) and row is not None and row.merge is not None:
                new[name] = _ordered(new[name], value, old.get(name) or [], _merge_key(row))
    return new


def _retain(new: dict[str, Any], patch: Mapping[str, Any]) -> None:
    """With $retainKeys only the fields named there are kept."""
    if "$retainKeys" in patch:
        for key in [key for key in new if key not in patch["$retainKeys"]]:
            del new[key]


def _value(row: Field | None, old: Any, patch: Any) -> Any:
    if isinstance(patch, list):
        if old is None:
            return [clone(item) for item in patch if not (isinstance(item, Mapping) and "$patch" in item)]
        return _list(row, old if isinstance(old, list) else [], patch)
    if not isinstance(patch, Mapping):
        return patch
    return _struct(_fields_below(row), old if isinstance(old, Mapping) else {}, patch)


def _fields_below(row: Field | None) -> Mapping[str, Field]:
    if row is not None and row.struct is not None:
        return struct_of(row.struct).fields
    return {}


def _list(row: Field | None, old: list[Any], patch: list[Any]) -> list[Any]:
    keys = row.merge if row is not None and row.is_list else None
    replaced = any(isinstance(item, Mapping) and item.get("$patch") == "replace" for item in patch)
    if row is None or keys is None or replaced:
        return [clone(item) for item in patch if not (isinstance(item, Mapping) and "$patch" in item)]
    if not keys:
        return _ordered([*old, *(item for item in patch if item not in old)], patch, old, None)
    fields, new = _fields_below(row.item), list(old)
    for item in patch:
        if not isinstance(item, Mapping) or keys[0] not in item:
            raise unexplained(f"map: {shown_patch(item)} does not contain declared merge key: {keys[0]}")
        at = next((i for i, there in enumerate(new) if there.get(keys[0]) == item[keys[0]]), None)
        if item.get("$patch") == "delete":
            new = [there for there in new if there.get(keys[0]) != item[keys[0]]]
        elif at is None:
            new.append({key: clone(value) for key, value in item.items() if key != "$patch"})
        else:
            new[at] = _struct(fields, new[at], item)
    return _ordered(new, patch, old, keys[0])


def _merge_key(row: Field) -> str | None:
    return row.merge[0] if row.merge else None


def _ordered(items: list[Any], order: Sequence[Any], before: Sequence[Any], key: str | None) -> list[Any]:
    """Items named in `order` in that order, and in front of all that they did not follow before."""

    def identity(item: Any) -> Any:
        return item.get(key) if key and isinstance(item, Mapping) else item

    places, was = ([identity(item) for item in rows] for rows in (order, before))
    rest = [item for item in items if identity(item) not in places]
    named = sorted((item for item in items if identity(item) in places), key=lambda item: places.index(identity(item)))
    merged: list[Any] = []
    while rest and named:
        left, right = identity(rest[0]), identity(named[0])
        follows = left in was and right in was and was.index(left) < was.index(right)
        merged.append((rest if follows else named).pop(0))
    return [*merged, *rest, *named]
