"""Functions of optional values, and what macros call."""

from collections.abc import Callable, Mapping
from typing import Any

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.operators import shown
from conformance.cluster.embedded.scheduler.expressions.values import NONE, Duration, Optional, Timestamp


def _value(optional: Optional) -> Any:
    if not optional.present:
        raise EvaluationError("optional.none() dereference")
    return optional.value


def _of_non_zero(value: Any) -> Optional:
    zero = value is None or value in (False, 0, "", b"", [], {}, Duration(0), Timestamp(0))
    return NONE if zero else Optional(True, value)


def _unwrap(items: list[Any]) -> list[Any]:
    return [item.value for item in items if item.present]


def _insert(target: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    if key in target:
        raise EvaluationError(f"insert failed: key {shown(key)} already exists")
    return {**target, key: value}


def _insert_all(target: Mapping[Any, Any], more: Mapping[Any, Any]) -> dict[Any, Any]:
    result = dict(target)
    for key, value in more.items():
        result = _insert(result, key, value)
    return result


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "optional_of": lambda value: Optional(True, value),
    "optional_none": lambda: NONE,
    "optional_ofNonZeroValue": _of_non_zero,
    "optional_hasValue": lambda optional: optional.present,
    "optional_value": _value,
    "optional_unwrap": _unwrap,
    "optional_unwrapOpt": _unwrap,
    "list_first": lambda items: Optional(True, items[0]) if items else NONE,
    "list_last": lambda items: Optional(True, items[-1]) if items else NONE,
    "@mapInsert_map_key_value": _insert,
    "@mapInsert_map_map": _insert_all,
}
