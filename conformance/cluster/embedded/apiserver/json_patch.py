"""JSON patches (RFC 6902)."""

from collections.abc import Mapping
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object, clone
from conformance.cluster.embedded.apiserver.status import bad_request, failure, generic

MAX_OPERATIONS = 10_000


def json_patch(obj: Object, patch: object) -> Object:
    """A copy of the object after all operations. Raises BadRequest (malformed), or 422 (not applicable)."""
    if not isinstance(patch, list):
        raise bad_request(
            "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"
        )
    if len(patch) > MAX_OPERATIONS:
        text = f"The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {len(patch)}"
        raise failure(413, "RequestEntityTooLarge", f"Request entity too large: {text}")
    new: Object = clone(obj)
    for operation in patch:
        try:
            _operate(new, operation)
        except (KeyError, IndexError, ValueError, TypeError, AttributeError):
            text = "the server rejected our request due to an error in our request"
            raise generic(422, "Invalid", text) from None
    return new


def _operate(obj: Object, operation: Mapping[str, Any]) -> None:
    action, path = operation["op"], _split(operation["path"])
    if action == "add":
        _add(obj, path, clone(operation["value"]))
    elif action == "remove":
        _remove(obj, path)
    elif action == "replace":
        _remove(obj, path)
        _add(obj, path, clone(operation["value"]))
    elif action == "move":
        _add(obj, path, _remove(obj, _split(operation["from"])))
    elif action == "copy":
        _add(obj, path, clone(_at(obj, _split(operation["from"]))))
    elif action == "test":
        if _at(obj, path) != operation["value"]:
            raise ValueError("test failed")
    else:
        raise ValueError(f"unknown operation {action!r}")


def _split(path: str) -> list[str]:
    if path and not path.startswith("/"):
        raise ValueError(f"{path!r} does not begin with a slash")
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def _at(value: Any, path: list[str]) -> Any:
    for part in path:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def _add(obj: Object, path: list[str], value: Any) -> None:
    parent, key = _at(obj, path[:-1]), path[-1]
    if not isinstance(parent, list):
        parent[key] = value
    else:
        index = len(parent) if key == "-" else int(key)
        if not 0 <= index <= len(parent):
            raise IndexError("index out of range")
        parent.insert(index, value)


def _remove(obj: Object, path: list[str]) -> Any:
    parent, key = _at(obj, path[:-1]), path[-1]
    return parent.pop(int(key)) if isinstance(parent, list) else parent.pop(key)
