"""Which type can stand for which, with type parameters that get bound on the way (cel-go's checker/types.go)."""

from collections.abc import Sequence

from conformance.cluster.embedded.scheduler.expressions.types import DYN, NULL, Type

Bindings = dict[Type, Type]

_NULLABLE = ("opaque", "struct", "any", "duration", "timestamp")


def assignable(bindings: Bindings, one: Sequence[Type], other: Sequence[Type]) -> Bindings | None:
    """The bindings with which each of `one` is assignable to its partner in `other`; None when that cannot be."""
    tried = dict(bindings)
    return tried if _all(tried, one, other) else None


def substitute(bindings: Bindings, kind: Type, *, free_is_dyn: bool = False) -> Type:
    """The type with bound parameters replaced, and with `free_is_dyn` the others by dyn."""
    if kind.kind == "param":
        if kind in bindings:
            return substitute(bindings, bindings[kind], free_is_dyn=free_is_dyn)
        return DYN if free_is_dyn else kind
    if not kind.parameters:
        return kind
    inner = tuple(substitute(bindings, item, free_is_dyn=free_is_dyn) for item in kind.parameters)
    return Type(kind.kind, kind.name, inner)


def most_general(one: Type, other: Type) -> Type:
    """The less specific of two types that go together."""
    return one if _less_specific(one, other) else other


def equivalent(one: Type, other: Type) -> bool:
    """The same but for the names of type parameters."""
    if one.kind == other.kind == "param":
        return True
    same = one.kind == other.kind and one.name == other.name and len(one.parameters) == len(other.parameters)
    return same and all(map(equivalent, one.parameters, other.parameters))


def _less_specific(one: Type, other: Type) -> bool:
    if one.dynamic or one.kind == "param":
        return True
    if other.dynamic or other.kind == "param" or one.kind != other.kind:
        return False
    if one.kind == "type":
        return True
    if one.kind in ("opaque", "list", "map"):
        same = one.name == other.name and len(one.parameters) == len(other.parameters)
        return same and all(map(_less_specific, one.parameters, other.parameters))
    return one == other


def _all(bindings: Bindings, one: Sequence[Type], other: Sequence[Type]) -> bool:
    return len(one) == len(other) and all(_assignable(bindings, a, b) for a, b in zip(one, other, strict=True))


def _assignable(bindings: Bindings, one: Type, other: Type) -> bool:
    if other.kind == "param":
        valid, bound = _bind(bindings, one, other)
        if valid or bound:
            return valid
    if one.kind == "param":
        return _bind(bindings, other, one)[0]
    if _open(one) or _open(other):
        return True
    if NULL in (one, other):
        partner = other if one == NULL else one
        return partner.kind in _NULLABLE or partner == NULL
    if one.kind == "type":
        return other.kind == "type"
    if one.kind in ("opaque", "list", "map"):
        same = one.kind == other.kind and one.name == other.name
        return same and _all(bindings, one.parameters, other.parameters)
    return one == other


def _open(kind: Type) -> bool:
    return kind.dynamic or kind.kind == "error"


def _bind(bindings: Bindings, kind: Type, parameter: Type) -> tuple[bool, bool]:
    """Whether the parameter can stand for the type, and whether it was bound before."""
    if kind == parameter:
        return True, True
    bound = bindings.get(parameter)
    if bound is not None:
        if kind == bound:
            return True, True
        if _assignable(bindings, kind, bound):
            general = most_general(kind, bound)
            if _absent(bindings, parameter, general):
                bindings[parameter] = general
            return True, True
        return False, True
    if _absent(bindings, parameter, kind):
        bindings[parameter] = kind
        return True, False
    return False, False


def _absent(bindings: Bindings, parameter: Type, within: Type) -> bool:
    """Whether the parameter does not occur in the type."""
    if parameter == within:
        return False
    if within.kind == "param":
        return within not in bindings or _absent(bindings, parameter, bindings[within])
    return all(_absent(bindings, parameter, item) for item in within.parameters)
