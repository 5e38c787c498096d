"""Kubernetes' CEL functions for quantities, versions, sets, lists and regular expressions.

Source: apiserver/pkg/cel/library and cel-go's ext.Sets and ext.Lists. Macros (sortBy, two-variable comprehensions)
and the ip, cidr, url and format libraries are not there.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from cel_expr_python import cel

from conformance.cluster.embedded.scheduler import quantity, semver
from conformance.cluster.embedded.scheduler.celtypes import (
    QUANTITY,
    SEMVER,
    native,
    quantity_message,
    semver_message,
)

T = cel.Type
Q = T(QUANTITY)
V = T(SEMVER)
LIST = T.List(T.DYN)
MAX_INT = 2**63 - 1

Impl = Callable[..., Any] | None
# Types of the parameters, type of the result, implementation (None: that of another overload is shared).
Form = tuple[Sequence[Any], Any, Impl]


def _declare(name: str, *forms: Form, member: bool) -> Any:
    overloads = []
    for number, (parameters, result, impl) in enumerate(forms):
        extra = {"impl": impl} if impl else {}
        overloads.append(
            cel.Overload(
                f"{name.replace('.', '_')}_{number}",
                return_type=result,
                parameters=list(parameters),
                is_member=member,
                **extra,
            )
        )
    return cel.FunctionDecl(name, overloads)


def _function(name: str, *forms: Form) -> Any:
    return _declare(name, *forms, member=False)


def _method(name: str, *forms: Form) -> Any:
    return _declare(name, *forms, member=True)


def _parses(parse: Callable[..., Any], text: str, **options: bool) -> bool:
    try:
        parse(text, **options)
    except ValueError:
        return False
    return True


def _is_integer(message: Any) -> bool:
    value = quantity.parse(message.text)
    return value == value.to_integral_value() and abs(value) <= MAX_INT


def _as_integer(message: Any) -> int:
    if not _is_integer(message):
        raise ValueError("cannot convert value to integer")
    return int(quantity.parse(message.text))


def _sign(message: Any) -> int:
    value = quantity.parse(message.text)
    return (value > 0) - (value < 0)


def _compare(left: Any, right: Any) -> int:
    one, other = native(left), native(right)
    return (one > other) - (one < other)  # type: ignore[operator]


def _plus(left: Any, right: Any, sign: int) -> Any:
    addend = right if isinstance(right, int) else quantity.parse(right.text)
    return quantity_message(quantity.parse(left.text) + sign * addend)


def _quantities() -> list[Any]:
    return [
        _function("quantity", ([T.STRING], Q, lambda text: quantity_message(quantity.parse(text)))),
        _function("isQuantity", ([T.STRING], T.BOOL, lambda text: _parses(quantity.parse, text))),
        _function("sign", ([Q], T.INT, _sign)),
        _method("isInteger", ([Q], T.BOOL, _is_integer)),
        _method("asInteger", ([Q], T.INT, _as_integer)),
        _method("asApproximateFloat", ([Q], T.DOUBLE, lambda message: float(quantity.parse(message.text)))),
        _method("add", ([Q, Q], Q, lambda a, b: _plus(a, b, 1)), ([Q, T.INT], Q, lambda a, b: _plus(a, b, 1))),
        _method("sub", ([Q, Q], Q, lambda a, b: _plus(a, b, -1)), ([Q, T.INT], Q, lambda a, b: _plus(a, b, -1))),
    ]


def _versions() -> list[Any]:
    def parse(text: str, normalize: bool = False) -> Any:
        return semver_message(semver.parse(text, normalize=normalize))

    def check(text: str, normalize: bool = False) -> bool:
        return _parses(semver.parse, text, normalize=normalize)

    return [
        _function("semver", ([T.STRING], V, parse), ([T.STRING, T.BOOL], V, parse)),
        _function("isSemver", ([T.STRING], T.BOOL, check), ([T.STRING, T.BOOL], T.BOOL, check)),
        _method("major", ([V], T.INT, lambda message: semver.parse(message.text).major)),
        _method("minor", ([V], T.INT, lambda message: semver.parse(message.text).minor)),
        _method("patch", ([V], T.INT, lambda message: semver.parse(message.text).patch)),
    ]


def _comparisons() -> list[Any]:
    # One implementation for both message types: two of them would collide at run time.
    return [
        _method("compareTo", ([Q, Q], T.INT, _compare), ([V, V], T.INT, None)),
        _method("isGreaterThan", ([Q, Q], T.BOOL, lambda a, b: _compare(a, b) > 0), ([V, V], T.BOOL, None)),
        _method("isLessThan", ([Q, Q], T.BOOL, lambda a, b: _compare(a, b) < 0), ([V, V], T.BOOL, None)),
    ]


def _sets() -> list[Any]:
    def contains(items: list[Any], wanted: list[Any]) -> bool:
        return all(item in items for item in wanted)

    def equivalent(one: list[Any], other: list[Any]) -> bool:
        return contains(one, other) and contains(other, one)

    def intersects(one: list[Any], other: list[Any]) -> bool:
        return any(item in other for item in one)

    return [
        _function("sets.contains", ([LIST, LIST], T.BOOL, contains)),
        _function("sets.equivalent", ([LIST, LIST], T.BOOL, equivalent)),
        _function("sets.intersects", ([LIST, LIST], T.BOOL, intersects)),
    ]


def _extreme(name: str, choose: Callable[..., Any]) -> Any:
    def impl(items: list[Any]) -> Any:
        if not items:
            raise ValueError(f"{name} called on empty list")
        return choose(items)

    return _method(name, ([LIST], T.DYN, impl))


def _includes(target: Any, item: Any) -> bool:
    return item in target if isinstance(target, list) else bool(target == item)


def _includes_forms() -> list[Form]:
    # A dynamic parameter matches nothing at run time, so each type has a form of its own.
    scalars = (T.INT, T.STRING, T.BOOL, T.DOUBLE, V)
    return [(pair, T.BOOL, _includes) for item in scalars for pair in ([LIST, item], [item, item])]


def _distinct(items: list[Any]) -> list[Any]:
    seen: list[Any] = []
    for item in items:
        if item not in seen:
            seen.append(item)
    return seen


def _flatten(items: list[Any], depth: int = 1) -> list[Any]:
    flat: list[Any] = []
    for item in items:
        flat.extend(_flatten(item, depth - 1) if isinstance(item, list) and depth > 0 else [item])
    return flat


def _slice(items: list[Any], start: int, end: int) -> list[Any]:
    if not 0 <= start <= end <= len(items):
        raise ValueError(f"cannot slice({start}, {end}), list is length {len(items)}")
    return items[start:end]


def _lists() -> list[Any]:
    # indexOf and lastIndexOf of lists are missing: strings have functions of these names, and one hides the other.
    return [
        _method("isSorted", ([LIST], T.BOOL, lambda items: items == sorted(items))),
        _method("sum", ([LIST], T.DYN, sum)),
        _extreme("min", min),
        _extreme("max", max),
        _method("includes", *_includes_forms()),
        _method("sort", ([LIST], LIST, sorted)),
        _method("reverse", ([LIST], LIST, lambda items: items[::-1])),
        _method("distinct", ([LIST], LIST, _distinct)),
        _method("flatten", ([LIST], LIST, _flatten), ([LIST, T.INT], LIST, _flatten)),
        _method("slice", ([LIST, T.INT, T.INT], LIST, _slice)),
        _function("lists.range", ([T.INT], T.List(T.INT), lambda count: list(range(count)))),
    ]


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    found = [match.group(0) for match in _pattern(pattern).finditer(text)]
    return found if limit < 0 else found[:limit]


def _texts() -> list[Any]:
    def find(text: str, pattern: str) -> str:
        match = _pattern(pattern).search(text)
        return match.group(0) if match else ""

    words = T.List(T.STRING)
    return [
        _method("find", ([T.STRING, T.STRING], T.STRING, find)),
        _method("findAll", ([T.STRING] * 2, words, _find_all), ([T.STRING, T.STRING, T.INT], words, _find_all)),
    ]


def functions() -> list[Any]:
    """Declarations with implementations of all functions."""
    return _quantities() + _versions() + _comparisons() + _sets() + _lists() + _texts()
