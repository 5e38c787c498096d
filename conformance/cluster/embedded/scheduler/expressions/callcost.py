"""Estimated costs of function calls (checker/cost.go and ext of cel-go, apiserver/pkg/cel/library/cost.go)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from conformance.cluster.embedded.scheduler.expressions.ranges import END, NOTHING, ONE, UNKNOWN, Range, fixed
from conformance.cluster.embedded.scheduler.expressions.sizes import Path, size_of
from conformance.cluster.embedded.scheduler.expressions.tree import Literal, Node
from conformance.cluster.embedded.scheduler.expressions.types import Type

TRAVERSAL = 0.1
PATTERN = 0.25
_NEW_LIST = fixed(10)
_FORMAT_PATTERN = 128


class Part(NamedTuple):
    """An operand: its type, the path to it, its size where it is known."""

    type: Type
    path: Path
    size: Range | None
    node: Node | None = None


class CallCost(NamedTuple):
    """The cost of a call without its operands, and the size of its result."""

    cost: Range
    size: Range | None = None


Estimate = Callable[[str, Part | None, Sequence[Part]], CallCost | None]


def estimate(function: str, overload: str, target: Part | None, args: Sequence[Part]) -> CallCost:
    """The cost of one overload."""
    for rules, key in ((_OVERLOADS, overload), (_FUNCTIONS, function), (_STANDARD, overload)):
        rule = rules.get(key)
        found = rule(overload, target, args) if rule else None
        if found is not None:
            return found
    return CallCost(ONE)


def _size(part: Part) -> Range:
    if part.size is not None:
        return part.size
    return size_of(part.path) or UNKNOWN


def _constant(part: Part, otherwise: int) -> int:
    value = part.node.value if isinstance(part.node, Literal) else None
    if type(value) is not int:
        return otherwise
    return max(value, 0)


def _item(part: Part) -> Part | None:
    """Elements of a list."""
    if not part.type.parameters:
        return None
    return Part(part.type.parameters[0], (*part.path, "@items") if part.path else (), None)


def _new_list(factor: float, size: Range) -> CallCost:
    return CallCost(size.scaled(factor).plus(ONE).plus(_NEW_LIST), size)


def _slice(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None or len(args) != 2:
        return None
    size = (_constant(args[1], _size(target).most) - _constant(args[0], 0)) % (END + 1)
    return _new_list(1, fixed(size))


def _range(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    return _new_list(1, fixed(_constant(args[0], END)))


def _reverse(_: str, target: Part | None, _args: Sequence[Part]) -> CallCost | None:
    return _new_list(1, _size(target)) if target else None


def _flatten(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    depth = _constant(args[0], END) if args else 1
    return _new_list(float(depth), _size(target)) if target else None


def _distinct(_: str, target: Part | None, _args: Sequence[Part]) -> CallCost | None:
    return _new_list(2, _size(target).times(_size(target))) if target else None


def _sort(overload: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None:
        return None
    size = _size(args[0] if args else target)
    factor = 2 + TRAVERSAL if overload.startswith(("list_string_", "list_bytes_")) else 2
    return _new_list(factor, size.times(size))


def _sets(factor: float) -> Estimate:
    def rule(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
        return CallCost(_size(args[0]).times(_size(args[1])).scaled(factor).plus(ONE))

    return rule


_SORTABLE = (
    *("int", "uint", "double", "bool", "string", "bytes"),
    *("google.protobuf.Duration", "google.protobuf.Timestamp"),
)
_OVERLOADS: dict[str, Estimate] = {
    "list_slice": _slice,
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "list_distinct": _distinct,
    **{f"list_{name}_sort": _sort for name in _SORTABLE},
    **{f"list_{name}_sortByAssociatedKeys": _sort for name in _SORTABLE},
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
}


def _one(_: str, _target: Part | None, _args: Sequence[Part]) -> CallCost:
    return CallCost(ONE)


def _search(overload: str, target: Part | None, _args: Sequence[Part]) -> CallCost | None:
    if target is None:
        return None
    item, size = _item(target), _size(target)
    each = ONE
    if item is not None:
        if item.type.kind in ("string", "bytes"):
            each = each.plus(_size(item).scaled(TRAVERSAL))
        return CallCost(size.times(each))
    return CallCost(size.times(each) if overload.startswith("list_includes") else size.scaled(TRAVERSAL))


def _read_argument(factor: float, *, keeps_size: bool = False) -> Estimate:
    def rule(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost | None:
        if not args:
            return None
        size = _size(args[0])
        return CallCost(size.scaled(factor), size if keeps_size else None)

    return rule


def _read_target(_: str, target: Part | None, _args: Sequence[Part]) -> CallCost | None:
    if target is None:
        return None
    size = _size(target)
    return CallCost(size.scaled(TRAVERSAL), size)


def _replace(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None or len(args) < 2:
        return None
    size, old, new = _size(target), _size(args[0]), _size(args[1])
    most, kept_most = 0, 0
    if old.least == 0:
        most, kept_most = min(size.most + 1, END), size.most
    elif new.most <= old.least:
        kept_most = size.most
    else:
        most = _ceil(size.most, old.least)
    least, kept_least = 0, 0
    if old.most == 0:
        least, kept_least = min(size.least + 1, END), size.least
    elif old.most <= new.least:
        kept_least = size.least
    else:
        least = _ceil(size.least, old.most)
    result = Range(least, most).times(new).plus(Range(kept_least, kept_most))
    return CallCost(size.scaled(2 * TRAVERSAL), result)


def _ceil(value: int, divisor: int) -> int:
    return min(-(-value // divisor), END)


def _split(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None:
        return None
    size = _size(target)
    value = args[1].node.value if len(args) > 1 and isinstance(args[1].node, Literal) else None
    most = value % (END + 1) if type(value) is int else size.most
    return CallCost(size.scaled(2 * TRAVERSAL), Range(0, most))


def _join(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None:
        return None
    count, item = _size(target), _item(target)
    size = count.times(_size(item)) if item is not None else NOTHING
    if args:
        separators = Range(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(_size(args[0]).times(separators))
    return CallCost(size.scaled(TRAVERSAL), size)


def _find(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None or not args:
        return None
    size = _size(target)
    cost = size.plus(ONE).scaled(TRAVERSAL).times(_size(args[0]).scaled(PATTERN))
    return CallCost(cost, Range(0, size.most))


def _ip(overload: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    return CallCost(ONE) if overload == "cidr_ip" else _read_argument(TRAVERSAL)(overload, target, args)


def _contains_address(overload: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    size = Range(4, 16)
    cost = size.plus(size).scaled(TRAVERSAL)
    if overload.startswith("cidr_contains_cidr"):
        cost = cost.plus(size.scaled(TRAVERSAL)).plus(ONE)
    if overload.endswith("_string"):
        cost = cost.plus(_size(args[0]).scaled(TRAVERSAL))
    return CallCost(cost)


def _validate(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    return CallCost(_size(args[0]).scaled(TRAVERSAL).scaled(_FORMAT_PATTERN * PATTERN))


def _equal(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost | None:
    one, other = args
    if one.type != other.type:
        return None
    match one.type.name:
        case "net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver":
            return CallCost(ONE)
        case "kubernetes.NamedFormat":
            return CallCost(Range(1, 64).scaled(TRAVERSAL))
        case "kubernetes.URL":
            most = other.size.most if other.size is not None else 1
            return CallCost(Range(1, most).scaled(TRAVERSAL))
    return None


_FUNCTIONS: dict[str, Estimate] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _search),
    "url": _read_argument(TRAVERSAL, keeps_size=True),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _read_target),
    "replace": _replace,
    "split": _split,
    "join": _join,
    **dict.fromkeys(("find", "findAll"), _find),
    **dict.fromkeys(("cidr", "isIP", "isCIDR"), _read_argument(TRAVERSAL)),
    "ip": _ip,
    "ip.isCanonical": _read_argument(2 * TRAVERSAL),
    **dict.fromkeys(("masked", "prefixLength", "family", "isUnspecified", "isLoopback"), _one),
    **dict.fromkeys(("isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast"), _one),
    **dict.fromkeys(("containsIP", "containsCIDR"), _contains_address),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver"), _read_argument(TRAVERSAL)),
    "validate": _validate,
    "format.named": _one,
    **dict.fromkeys(("sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan", "isLessThan"), _one),
    **dict.fromkeys(("compareTo", "add", "sub", "major", "minor", "patch"), _one),
    **dict.fromkeys(("getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery"), _one),
    "_==_": _equal,
}


def _format_string(_: str, target: Part | None, _args: Sequence[Part]) -> CallCost | None:
    return CallCost(_size_known(target).scaled(TRAVERSAL)) if target else None


def _size_known(part: Part) -> Range:
    return UNKNOWN if part.size is None else part.size


def _to_bytes(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    size = _size_known(args[0])
    return CallCost(size.scaled(TRAVERSAL), Range(size.least, size.most * 4 % (END + 1)))


def _to_string(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    size = _size_known(args[0])
    return CallCost(size.scaled(TRAVERSAL), Range(size.least // 4, size.most))


def _quote(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    size = _size_known(args[0])
    return CallCost(size.scaled(TRAVERSAL), Range((size.least + 2) % (END + 1), (size.most * 2 + 2) % (END + 1)))


def _affix(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    return CallCost(_size_known(args[0]).scaled(TRAVERSAL))


def _in_list(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    return CallCost(_size_known(args[1]).scaled(1))


def _matches(_: str, target: Part | None, args: Sequence[Part]) -> CallCost:
    text, pattern = (target, args[0]) if target is not None else (args[0], args[1])
    cost = _size_known(text).plus(ONE).scaled(TRAVERSAL).times(_size_known(pattern).scaled(PATTERN))
    return CallCost(cost)


def _contains(_: str, target: Part | None, args: Sequence[Part]) -> CallCost | None:
    if target is None:
        return None
    return CallCost(_size_known(target).scaled(TRAVERSAL).times(_size_known(args[0]).scaled(TRAVERSAL)))


def _add(overload: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    size = _size_known(args[0]).plus(_size_known(args[1]))
    return CallCost(ONE if overload == "add_list" else size.scaled(TRAVERSAL), size)


def _compared(_: str, _target: Part | None, args: Sequence[Part]) -> CallCost:
    most = min(_size_known(args[0]).most, _size_known(args[1]).most)
    return CallCost(Range(1 if most else 0, most).scaled(TRAVERSAL))


_STANDARD: dict[str, Estimate] = {
    "string_format": _format_string,
    "string_to_bytes": _to_bytes,
    "bytes_to_string": _to_string,
    "strings_quote": _quote,
    **dict.fromkeys(("starts_with_string", "ends_with_string"), _affix),
    "in_list": _in_list,
    **dict.fromkeys(("matches", "matches_string"), _matches),
    "contains_string": _contains,
    **dict.fromkeys(("add_string", "add_bytes", "add_list"), _add),
    **{
        f"{name}_{kind}": _compared
        for name in ("less", "greater", "less_equals", "greater_equals")
        for kind in ("string", "bytes")
    },
    **dict.fromkeys(("equals", "not_equals"), _compared),
}
