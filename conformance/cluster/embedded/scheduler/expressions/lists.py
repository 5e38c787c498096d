"""Functions of lists: Kubernetes' own, cel-go's ext.Lists and ext.Sets, and size."""

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from conformance.cluster.embedded.scheduler.expressions import operators
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.values import (
    Duration,
    UInt,
    compare,
    includes,
    matches,
    type_name,
)

Items = list[Any]


def _is_sorted(items: Items) -> bool:
    return all(compare(one, other) <= 0 for one, other in pairwise(items))


def _sum(zero: Any) -> Callable[[Items], Any]:
    def total(items: Items) -> Any:
        result = zero
        for item in items:
            result = operators.add(result, item)
        return result

    return total


def _extreme(name: str, sign: int) -> Callable[[Items], Any]:
    def choose(items: Items) -> Any:
        if not items:
            raise EvaluationError(f"{name} called on empty list")
        best = items[0]
        for item in items[1:]:
            if compare(best, item) == sign:
                best = item
        return best

    return choose


def _index(items: Items, item: Any) -> int:
    return next((index for index, other in enumerate(items) if matches(other, item)), -1)


def _last_index(items: Items, item: Any) -> int:
    return max((index for index, other in enumerate(items) if matches(other, item)), default=-1)


def _includes(target: Any, item: Any) -> bool:
    return includes(target, item) if isinstance(target, list) else matches(target, item)


def _contains(items: Items, wanted: Items) -> bool:
    return all(includes(items, item) for item in wanted)


def _slice(items: Items, start: int, end: int) -> Items:
    why = ""
    if start < 0 or end < 0:
        why = "negative indexes not supported"
    elif start > end:
        why = "start index must be less than or equal to end index"
    elif end > len(items):
        why = f"list is length {len(items)}"
    if why:
        raise EvaluationError(f"cannot slice({start}, {end}), {why}")
    return items[start:end]


def _flatten(items: Items, depth: int = 1) -> Items:
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    flat: Items = []
    for item in items:
        flat.extend(_flatten(item, depth - 1) if isinstance(item, list) and depth else [item])
    return flat


def _range(count: int) -> Items:
    if count < 0:
        raise EvaluationError(f"lists.range: size must be non-negative, got {count}")
    return list(range(count))


def _distinct(items: Items) -> Items:
    seen: Items = []
    for item in items:
        if not includes(seen, item):
            seen.append(item)
    return seen


def _sort(items: Items) -> Items:
    return _sort_by(items, items)


def _sort_by(items: Items, keys: Items) -> Items:
    if len({type_name(key) for key in keys}) > 1:
        raise EvaluationError("list elements must have the same type")
    order = cmp_to_key(compare)
    pairs = sorted(zip(keys, items, strict=True), key=lambda pair: order(pair[0]))
    return [item for _, item in pairs]


_COMPARABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SORTABLE = (
    *("int", "uint", "double", "bool", "string", "bytes"),
    *("google.protobuf.Duration", "google.protobuf.Timestamp"),
)
_ZEROS = {"int": 0, "uint": UInt(0), "double": 0.0, "duration": Duration(0)}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"list_{name}_is_sorted_bool": _is_sorted for name in _COMPARABLE},
    **{f"list_{name}_sum_{name}": _sum(zero) for name, zero in _ZEROS.items()},
    **{f"list_{name}_max_{name}": _extreme("max", -1) for name in _COMPARABLE},
    **{f"list_{name}_min_{name}": _extreme("min", 1) for name in _COMPARABLE},
    "list_a_index_of_int": _index,
    "list_a_last_index_of_int": _last_index,
    "list_includes_dyn_dyn": _includes,
    "list_sets_contains_list": _contains,
    "list_sets_equivalent_list": lambda one, other: _contains(one, other) and _contains(other, one),
    "list_sets_intersects_list": lambda one, other: any(includes(other, item) for item in one),
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "lists_range": _range,
    "list_reverse": lambda items: items[::-1],
    "list_distinct": _distinct,
    **{f"list_{name}_sort": _sort for name in _SORTABLE},
    **{f"list_{name}_sortByAssociatedKeys": _sort_by for name in _SORTABLE},
    **dict.fromkeys(("size_bytes", "bytes_size", "size_list", "list_size"), len),
    **dict.fromkeys(("size_map", "map_size", "size_string", "string_size"), len),
}
