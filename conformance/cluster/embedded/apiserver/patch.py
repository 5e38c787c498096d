"""The four kinds of patches: merge (RFC 7396), JSON (RFC 6902), strategic merge and server-side apply."""

from collections.abc import Mapping
from typing import Any

from conformance.cluster.embedded.apiserver.apply import server_side_apply
from conformance.cluster.embedded.apiserver.json_patch import json_patch
from conformance.cluster.embedded.apiserver.merge_keys import child, key_values, merge_keys
from conformance.cluster.embedded.apiserver.objects import Object, clone
from conformance.cluster.embedded.apiserver.status import bad_request


def apply_patch(kind: str, old: Object | None, patch: object, manager: str) -> Object:
    """The object after the patch; `old` may be None for "apply" only. Raises BadRequest for a malformed patch."""
    if kind == "json":
        return json_patch(old or {}, patch)
    if not isinstance(patch, Mapping):
        raise bad_request("a patch must be a JSON object")
    if kind == "apply":
        return server_side_apply(old, patch, manager)
    return dict(merge_patch(old, patch) if kind == "merge" else _strategic(old or {}, patch, ""))


def merge_patch(old: Any, patch: Any) -> Any:
    """RFC 7396: objects merged, null deletes, everything else replaces."""
    if not isinstance(patch, Mapping):
        return clone(patch)
    new = dict(old) if isinstance(old, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        else:
            new[key] = merge_patch(new.get(key), value)
    return new


def _strategic(old: Mapping[str, Any], patch: Mapping[str, Any], path: str) -> dict[str, Any]:
    """As a merge patch, but lists with merge keys are merged item by item."""
    if patch.get("$patch") == "replace":
        return {key: clone(value) for key, value in patch.items() if key != "$patch"}
    new = dict(old)
    for key, value in patch.items():
        place = child(path, key)
        if key.startswith("$deleteFromPrimitiveList/"):
            name = key.partition("/")[2]
            new[name] = [item for item in new.get(name, []) if item not in value]
        elif key.startswith("$"):
            continue
        elif value is None:
            new.pop(key, None)
        elif isinstance(value, list):
            new[key] = _strategic_list(new.get(key) or [], value, place)
        elif isinstance(value, Mapping):
            before = new.get(key)
            new[key] = _strategic(before if isinstance(before, Mapping) else {}, value, place)
        else:
            new[key] = value
    return new


def _strategic_list(old: list[Any], patch: list[Any], path: str) -> list[Any]:
    keys = merge_keys(path)
    if keys is None or any(isinstance(row, Mapping) and row.get("$patch") == "replace" for row in patch):
        return [clone(row) for row in patch if not (isinstance(row, Mapping) and "$patch" in row)]
    if not keys:
        return [*old, *(row for row in patch if row not in old)]
    new = list(old)
    for row in patch:
        at = next((i for i, item in enumerate(new) if key_values(item, keys) == key_values(row, keys)), None)
        if row.get("$patch") == "delete":
            new = [item for i, item in enumerate(new) if i != at]
        elif at is None:
            new.append(clone(row))
        else:
            new[at] = _strategic(new[at], row, path)
    return new
