"""Arithmetic, order, membership and access to parts (cel-go's common/types)."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from conformance.cluster.embedded.scheduler.expressions import times
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.values import (
    Duration,
    Optional,
    Timestamp,
    TypeName,
    UInt,
    compare,
    equal,
    go_name,
    includes,
    integer,
    is_number,
    matches,
    type_name,
    unsigned,
)
from conformance.cluster.embedded.scheduler.semver import Semver

Binary = Callable[[Any, Any], Any]
_NO_OVERLOAD = "no such overload"
_POINTERS = {
    list: "*types.baseList",
    dict: "*types.baseMap",
    TypeName: "*types.Type",
    Optional: "*types.Optional",
}


def no_overload(function: str, *args: Any) -> EvaluationError:
    """The error for arguments that a function is not made for."""
    return EvaluationError(f"{_NO_OVERLOAD}: {function}({', '.join(map(type_name, args))})")


def unfit(function: str, first: Any) -> EvaluationError:
    """The error of an operator, or of one of several functions of a name, for what none of them is made for."""
    named = not isinstance(first, str | Timestamp | Duration)
    return EvaluationError(f"{_NO_OVERLOAD}: {function}" if named else _NO_OVERLOAD)


def _mixed(one: Any, other: Any) -> bool:
    return type(one) is not type(other)


def add(one: Any, other: Any) -> Any:
    """`+`."""
    match one, other:
        case (Duration(), Duration()):
            return times.span(one.nanoseconds + other.nanoseconds)
        case (Timestamp(), Duration()) | (Duration(), Timestamp()):
            return times.moment(one.nanoseconds + other.nanoseconds)
    if _no_arithmetic(one):
        raise unfit("_+_", one)
    if _mixed(one, other):
        raise EvaluationError(_NO_OVERLOAD)
    return _numeric(one, one + other)


def _no_arithmetic(value: Any) -> bool:
    return not (is_number(value) or isinstance(value, str | bytes | list | Duration | Timestamp))


def _numeric(like: Any, value: Any) -> Any:
    if isinstance(like, UInt):
        return unsigned(value)
    return integer(value) if isinstance(like, int) else value


def subtract(one: Any, other: Any) -> Any:
    """`-`."""
    match one, other:
        case (Duration(), Duration()):
            return times.span(one.nanoseconds - other.nanoseconds)
        case (Timestamp(), Duration()):
            return times.moment(one.nanoseconds + times.span(-other.nanoseconds).nanoseconds)
        case (Timestamp(), Timestamp()):
            return times.span(one.nanoseconds - other.nanoseconds)
    if not is_number(one) and not isinstance(one, Duration | Timestamp):
        raise unfit("_-_", one)
    if _mixed(one, other):
        raise EvaluationError(_NO_OVERLOAD)
    return _numeric(one, one - other)


def multiply(one: Any, other: Any) -> Any:
    """`*`."""
    if not is_number(one):
        raise unfit("_*_", one)
    if _mixed(one, other):
        raise EvaluationError(_NO_OVERLOAD)
    return _numeric(one, one * other)


def divide(one: Any, other: Any) -> Any:
    """`/`."""
    if not is_number(one):
        raise unfit("_/_", one)
    if _mixed(one, other):
        raise EvaluationError(_NO_OVERLOAD)
    if isinstance(one, float):
        return _divide_doubles(one, other)
    if not other:
        raise EvaluationError("division by zero")
    whole = abs(one) // abs(other)
    return _numeric(one, whole if (one < 0) == (other < 0) else -whole)


def _divide_doubles(one: float, other: float) -> float:
    if other:
        return one / other
    return math.nan if not one or math.isnan(one) else math.copysign(math.inf, one) * math.copysign(1, other)


def modulo(one: Any, other: Any) -> Any:
    """`%`, with the sign of the first operand."""
    if not isinstance(one, int) or isinstance(one, bool):
        raise unfit("_%_", one)
    if _mixed(one, other):
        raise EvaluationError(_NO_OVERLOAD)
    if not other:
        raise EvaluationError("modulus by zero")
    rest = abs(one) % abs(other)
    return _numeric(one, -rest if one < 0 else rest)


def negate(value: Any) -> Any:
    """`-`."""
    if isinstance(value, Duration):
        return times.span(-value.nanoseconds)
    if isinstance(value, bool):
        raise EvaluationError(_NO_OVERLOAD)
    if not is_number(value) or isinstance(value, UInt):
        raise unfit("-_", value)
    return integer(-value) if isinstance(value, int) else -value


def logical_not(value: Any) -> Any:
    """`!`."""
    if not isinstance(value, bool):
        raise EvaluationError(_NO_OVERLOAD)
    return not value


def _ordered(function: str, wanted: Callable[[int], bool]) -> Binary:
    def test(one: Any, other: Any) -> bool:
        if not (is_number(one) or isinstance(one, bool | str | bytes | Timestamp | Duration)):
            raise EvaluationError(f"{_NO_OVERLOAD}: {function}")
        return wanted(compare(one, other))

    return test


def contains(item: Any, whole: Any) -> bool:
    """`in`."""
    if isinstance(whole, list):
        return includes(whole, item)
    if isinstance(whole, Mapping):
        return is_key(item) and item in whole
    raise EvaluationError(_NO_OVERLOAD)


def contains_constant(item: Any, constants: list[Any]) -> bool:
    """`in` of a list that is written out: Kubernetes looks values up by hash, which a version has none of."""
    if isinstance(item, Semver) and constants:
        raise EvaluationError("internal error: runtime error: hash of unhashable type cel.Semver")
    return includes(constants, item)


def is_key(value: Any) -> bool:
    """Whether a map can have it as a key."""
    return isinstance(value, str | int | float | bool)


def check_key(key: Any) -> None:
    """Raises EvaluationError for what no part can be chosen by."""
    if not is_key(key):
        name = _POINTERS.get(type(key)) or go_name(key)
        raise EvaluationError(f"invalid qualifier type: {name}")


def element(whole: Any, key: Any) -> Any:
    """`whole[key]`; of an optional it is an optional."""
    if isinstance(whole, Optional):
        return optional_element(whole, key)
    found = find(whole, key)
    if found.present:
        return found.value
    if isinstance(whole, list):
        raise EvaluationError(f"index out of bounds: {key}")
    raise EvaluationError(f"no such key: {shown(key)}")


def optional_element(whole: Any, key: Any) -> Optional:
    """`whole[?key]`."""
    if isinstance(whole, Optional):
        return find(whole.value, key) if whole.present else whole
    return find(whole, key)


def find(whole: Any, key: Any) -> Optional:
    """The part with that key or index, if there is one. Raises EvaluationError for what has no parts."""
    check_key(key)
    if isinstance(whole, Mapping):
        try:
            return Optional(True, whole[key])
        except KeyError:
            return Optional(False)
    if isinstance(whole, list):
        if not is_number(key) or key != int(key):
            raise EvaluationError(f"unsupported index type '{type_name(key)}' in list")
        return Optional(True, whole[int(key)]) if 0 <= key < len(whole) else Optional(False)
    return Optional(False)


def shown(key: Any) -> str:
    """A key as it stands in errors."""
    if isinstance(key, bool):
        return "true" if key else "false"
    return str(key)


OPERATORS: dict[str, Binary] = {
    "_+_": add,
    "_-_": subtract,
    "_*_": multiply,
    "_/_": divide,
    "_%_": modulo,
    "_<_": _ordered("_<_", lambda order: order < 0),
    "_<=_": _ordered("_<=_", lambda order: order <= 0),
    "_>_": _ordered("_>_", lambda order: order > 0),
    "_>=_": _ordered("_>=_", lambda order: order >= 0),
    "_==_": equal,
    # What cannot be compared is not equal, either.
    "_!=_": lambda one, other: not matches(one, other),
    "@in": contains,
    "_[_]": element,
    "_[?_]": optional_element,
}
UNARY: dict[str, Callable[[Any], Any]] = {"-_": negate, "!_": logical_not}
