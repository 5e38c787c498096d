"""Small helpers on API objects as JSON."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

Object = dict[str, Any]
Key = tuple[str, str]


def clone(value: Any) -> Any:
    """A deep copy of a JSON value, several times faster than copy.deepcopy."""
    if isinstance(value, dict):
        return {key: clone(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clone(item) for item in value]
    return value


def dig(obj: Mapping[str, Any], path: str) -> Any:
    """The value under a dotted path, None where there is none."""
    value: Any = obj
    for key in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def key_of(obj: Mapping[str, Any]) -> Key:
    """Namespace ("" without one) and name."""
    meta = obj["metadata"]
    return meta.get("namespace", ""), meta["name"]


def timestamp() -> str:
    """Now, as metav1.Time."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def without_empty(value: Any) -> Any:
    """The value without nulls, as Go reads JSON: a null is a field that is not there."""
    if isinstance(value, dict):
        return {key: without_empty(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    return value
