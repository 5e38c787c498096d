"""string.format: the clauses of a format string, and their check against literals (cel-go's ext/formatting.go)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.values import MAX_INT

# Clause, what it is called in errors, what it takes.
_ONLY = {
    "s": "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
    "and timestamps",
    "d": "decimal clause can only be used on integers",
    "f": "fixed-point clause can only be used on doubles",
    "e": "scientific clause can only be used on doubles",
    "b": "only integers and bools can be formatted as binary",
    "x": "only integers, byte buffers, and strings can be formatted as hex",
    "o": "octal clause can only be used on integers",
}
TAKES = {
    "s": ("list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"),
    "d": ("int", "uint"),
    "f": ("double", "string"),
    "e": ("double", "string"),
    "b": ("int", "uint", "bool"),
    "x": ("int", "uint", "string", "bytes"),
    "o": ("int", "uint"),
}
# More than the largest number has.
_DIGITS = 25
Show = Callable[[int, str, int], str]


def wrong_type(clause: str, given: str) -> str:
    """The error for an argument that a clause does not take."""
    return f"{_ONLY[clause.lower()]}, was given {given}"


def render(text: str, count: int, show: Show) -> str:
    """The text with its clauses replaced by `show(index, clause, precision)`, -1 for no precision.

    Raises EvaluationError.
    """
    return "".join(_pieces(text, count, show))


def _pieces(text: str, count: int, show: Show) -> Iterator[str]:
    position, index = 0, 0
    while position < len(text):
        mark = text.find("%", position)
        if mark < 0:
            yield text[position:]
            return
        yield text[position:mark]
        if text[mark + 1 : mark + 2] == "%":
            yield "%"
            position = mark + 2
            continue
        if mark + 1 >= len(text):
            raise EvaluationError("unexpected end of string")
        if index >= count:
            raise EvaluationError(f"index {index} out of range")
        try:
            clause, precision, position = _clause(text, mark + 1)
        except EvaluationError as error:
            raise EvaluationError(f"could not parse formatting clause: {error}") from None
        yield show(index, clause, precision)
        index += 1


def _clause(text: str, position: int) -> tuple[str, int, int]:
    precision = -1
    if text[position] == ".":
        end = position + 1
        while end < len(text) and text[end] in "0123456789":
            end += 1
        if end >= len(text):
            raise EvaluationError("error while parsing precision: could not find end of precision specifier")
        digits = text[position + 1 : end]
        if not digits:
            why = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
            raise EvaluationError(f"error while parsing precision: {why}")
        precision = int(digits.lstrip("0")[:_DIGITS] or 0)
        if precision > MAX_INT:
            why = f'strconv.Atoi: parsing "{digits}": value out of range'
            raise EvaluationError(f"error while parsing precision: error while converting precision to integer: {why}")
        position = end
    clause = text[position]
    if clause not in "sdfebxXo":
        raise EvaluationError(f'unrecognized formatting clause "{clause}"')
    return clause, precision, position + 1


def count_clauses(text: str, arguments: Sequence[Any], check: Callable[[Any, str], None]) -> int:
    """How many arguments a format string takes; `check(argument, clause)` is called for each.

    Raises EvaluationError.
    """
    seen = 0

    def show(index: int, clause: str, _precision: int) -> str:
        nonlocal seen
        seen += 1
        check(arguments[index], clause)
        return ""

    render(text, len(arguments), show)
    return seen
