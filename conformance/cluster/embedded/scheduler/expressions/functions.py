"""Functions by their overloads, chosen by the types of the values that they get."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from conformance.cluster.embedded.scheduler.expressions import (
    conversions,
    formats,
    lists,
    net,
    optionals,
    quantities,
    strings,
    urls,
    versions,
)
from conformance.cluster.embedded.scheduler.expressions.declarations import Overload, declarations
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.operators import no_overload, unfit
from conformance.cluster.embedded.scheduler.expressions.types import Type
from conformance.cluster.embedded.scheduler.expressions.values import type_name

Implementation = Callable[..., Any]

_IMPLEMENTATIONS: Mapping[str, Implementation] = {
    **conversions.FUNCTIONS,
    **formats.FUNCTIONS,
    **lists.FUNCTIONS,
    **net.FUNCTIONS,
    **optionals.FUNCTIONS,
    **quantities.FUNCTIONS,
    **strings.FUNCTIONS,
    **urls.FUNCTIONS,
    **versions.FUNCTIONS,
}


@cache
def function(name: str, overloads: tuple[str, ...], *, member: bool) -> Implementation:
    """The function that is called where the checker found these overloads possible."""
    # The checker's choice of one overload may have rested on a value of unknown type: then it decides nothing.
    rows = [row for row in declarations(stored=True).functions[name] if row.member == member and row.id in overloads]
    if len(rows) == 1 and not rows[0].parameters:
        return _IMPLEMENTATIONS[rows[0].id]
    return _dispatcher(name, [(row, _IMPLEMENTATIONS[row.id]) for row in rows])


# These look at their arguments themselves.
_UNGUARDED = ("contains", "endsWith", "matches", "startsWith")


def _dispatcher(name: str, rows: Sequence[tuple[Overload, Implementation]]) -> Implementation:
    tests = [([_acceptor(kind) for kind in row.parameters], implementation) for row, implementation in rows]

    def call(*args: Any) -> Any:
        for accepted, implementation in tests:
            if len(accepted) == len(args) and all(
                wanted is None or type_name(value) == wanted for wanted, value in zip(accepted, args, strict=True)
            ):
                return implementation(*args)
        if name in _UNGUARDED:
            raise EvaluationError("no such overload")
        raise unfit(name, args[0]) if name == "size" else no_overload(name, *args)

    return call


def _acceptor(kind: Type) -> str | None:
    """The name of the type of values that a parameter takes; None for any."""
    return None if kind.dynamic or kind.kind == "param" else kind.runtime_name
