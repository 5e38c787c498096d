"""Whether a configuration for server-side apply fits its type (structured-merge-diff, typed.AsTyped)."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver.fieldsets import element, fields_of
from conformance.cluster.embedded.apiserver.fieldsets import text as element_text
from conformance.cluster.embedded.apiserver.status import failure
from conformance.cluster.embedded.apiserver.types import Field, Struct

_SCALARS: Mapping[str, tuple[str, tuple[type, ...]]] = {
    "string": ("string", (str,)),
    "bool": ("boolean", (bool,)),
    "int32": ("numeric (int or float)", (int, float)),
    "int64": ("numeric (int or float)", (int, float)),
    "time": ("string", (str,)),
    "microtime": ("string", (str,)),
}


def check_typed(struct: Struct, obj: Mapping[str, Any]) -> None:
    """Raises ApiError 500 with what does not fit, as the API server does."""
    rest = {key: value for key, value in obj.items() if key not in ("apiVersion", "kind")}
    errors = list(_errors(Field("", 0, struct.full_name), rest, ""))
    if errors:
        meta = obj.get("metadata")
        name = f"{meta.get('namespace', '')}/{meta.get('name', '')}" if isinstance(meta, Mapping) else "/"
        what = f"({name}; {obj.get('apiVersion')}, Kind={obj.get('kind')})"
        text = errors[0] if len(errors) == 1 else "errors:\n" + "\n".join(f"  {error}" for error in errors)
        raise failure(500, "", f"failed to create typed patch object {what}: {text}")


def _errors(row: Field, value: Any, path: str) -> Iterator[str]:
    if value is None:
        return
    if row.is_list:
        if not isinstance(value, list):
            yield f"{path}: expected list, got &{{{value}}}"
            return
        yield from _items(row, value, path)
    elif row.is_map or row.struct is not None:
        if not isinstance(value, Mapping):
            yield f"{path}: expected map, got &{{{value}}}"
            return
        fields = fields_of(row) if row.struct is not None else {}
        for key, item in value.items():
            below = row.item if row.is_map else fields.get(key)
            if below is None:
                yield f"{path}.{key}: field not declared in schema"
            else:
                yield from _errors(below, item, f"{path}.{key}")
    elif row.kind in _SCALARS:
        wanted, types = _SCALARS[row.kind]
        if not isinstance(value, types) or (isinstance(value, bool) and row.kind != "bool"):
            yield f"{path}: expected {wanted}, got &{{{value}}}"


def _items(row: Field, value: list[Any], path: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, item in enumerate(value):
        place = f"{path}[{index}]"
        if row.keys is not None:
            if row.keys and not isinstance(item, Mapping):
                yield f"{path}: element {index}: associative list with keys may not have non-map elements"
                continue
            name = element(row, item)
            place = path + element_text((name,))
            if name in seen:
                yield f"{path}: duplicate entries for key {element_text((name,))}"
            seen.add(name)
        yield from _errors(row.item, item, place)
