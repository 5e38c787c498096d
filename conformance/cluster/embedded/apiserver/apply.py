"""Server-side apply: what a manager applies it owns, and what it no longer applies goes unless another owns it.

Conflicts between managers are not raised: whoever applies last wins, as with force=true.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver.merge_keys import child, key_values, merge_keys
from conformance.cluster.embedded.apiserver.objects import Object, clone, timestamp

Fields = dict[str, Any]

_IDENTITY = ("apiVersion", "kind", "metadata")
_IDENTITY_META = ("name", "namespace", "uid", "resourceVersion", "generateName", "managedFields")


def server_side_apply(old: Object | None, config: Mapping[str, Any], manager: str) -> Object:
    """The object after `manager` applied the configuration."""
    mine = _fields_of(config)
    entries = list(((old or {}).get("metadata") or {}).get("managedFields") or [])
    before: Fields = next((entry["fieldsV1"] for entry in entries if _is_mine(entry, manager)), {})
    others = [entry["fieldsV1"] for entry in entries if not _is_mine(entry, manager) and "fieldsV1" in entry]
    new: Object = _merge(clone(old or {}), config, "")
    _remove_given_up(new, before, [mine, *others])
    managed = [entry for entry in entries if not _is_mine(entry, manager)]
    new.setdefault("metadata", {})["managedFields"] = [
        *managed,
        {
            "manager": manager,
            "operation": "Apply",
            "apiVersion": config.get("apiVersion", ""),
            "time": _time_of(entries, manager, before == mine),
            "fieldsType": "FieldsV1",
            "fieldsV1": mine,
        },
    ]
    return new


def _is_mine(entry: Mapping[str, Any], manager: str) -> bool:
    return entry.get("manager") == manager and entry.get("operation") == "Apply"


def _time_of(entries: list[Any], manager: str, same: bool) -> str:
    known = next((entry["time"] for entry in entries if _is_mine(entry, manager)), "")
    return str(known) if same and known else timestamp()


def _fields_of(config: Mapping[str, Any]) -> Fields:
    meta = {key: value for key, value in (config.get("metadata") or {}).items() if key not in _IDENTITY_META}
    rest = {key: value for key, value in config.items() if key not in _IDENTITY}
    return _fields({**rest, **({"metadata": meta} if meta else {})}, "")


def _fields(value: Any, path: str) -> Fields:
    """The FieldsV1 of a value: `f:` for fields, `k:` for items of keyed lists, `v:` for items of sets."""
    if isinstance(value, Mapping):
        return {f"f:{key}": _fields(item, child(path, key)) for key, item in value.items()}
    keys = merge_keys(path) if isinstance(value, list) else None
    if keys is None:
        return {}
    return {_item_key(row, keys): {".": {}, **_fields(row, path)} if keys else {} for row in value}


def _item_key(row: Any, keys: tuple[str, ...]) -> str:
    if not keys:
        return f"v:{json.dumps(row)}"
    return "k:" + json.dumps({key: row[key] for key in keys if key in row}, separators=(",", ":"))


def _merge(old: Any, config: Any, path: str) -> Any:
    if isinstance(config, Mapping):
        new = dict(old) if isinstance(old, Mapping) else {}
        for key, value in config.items():
            new[key] = _merge(new.get(key), value, child(path, key))
        return new
    keys = merge_keys(path) if isinstance(config, list) else None
    if keys is None or not isinstance(old, list):
        return clone(config)
    return list(_merged_items(old, config, keys, path))


def _merged_items(old: list[Any], config: list[Any], keys: tuple[str, ...], path: str) -> Iterator[Any]:
    applied = {key_values(row, keys): row for row in config}
    for row in old:
        given = applied.pop(key_values(row, keys), None)
        yield row if given is None else _merge(row, given, path)
    yield from (clone(row) for row in applied.values())


def _remove_given_up(value: Any, before: Fields, kept: list[Fields]) -> None:
    """Take out of the value what `before` names and none of `kept` does."""
    for name, inner in before.items():
        still = [fields[name] for fields in kept if name in fields]
        if name.startswith("f:") and isinstance(value, dict):
            key = name[2:]
            if not still:
                value.pop(key, None)
            elif key in value:
                _remove_given_up(value[key], inner, still)
        elif name[:2] in ("k:", "v:") and isinstance(value, list):
            wanted = json.loads(name[2:])
            found = [row for row in value if _is_item(row, wanted)]
            for row in found:
                if still:
                    _remove_given_up(row, inner, still)
                else:
                    value.remove(row)


def _is_item(row: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict) and isinstance(row, Mapping):
        return all(row.get(key) == value for key, value in wanted.items())
    return bool(row == wanted)
