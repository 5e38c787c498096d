"""What is looked at after the types: literals of durations, times and patterns, and lists of one type only.

Source: cel-go's cel/validator.go, with the validators that apiserver's environment has.
"""

from collections.abc import Callable, Iterator
from functools import partial

from conformance.cluster.embedded.scheduler.expressions import regex, stringformat, times
from conformance.cluster.embedded.scheduler.expressions.check import Checked
from conformance.cluster.embedded.scheduler.expressions.errors import CompileError, EvaluationError, Issue, report
from conformance.cluster.embedded.scheduler.expressions.tree import Call, ListOf, Literal, MapOf, Node, walk
from conformance.cluster.embedded.scheduler.expressions.types import Type
from conformance.cluster.embedded.scheduler.expressions.unify import equivalent


def _read_time(value: object) -> object:
    return times.from_seconds(value) if isinstance(value, int) else times.timestamp(str(value))


_READERS: dict[str, Callable[[object], object]] = {
    "duration": lambda value: times.duration(str(value)),
    "timestamp": _read_time,
    "matches": lambda value: regex.check(str(value)),
}
# These take lists of all sorts.
_EXEMPT = ("format",)


def check_literals(source: str, checked: Checked) -> None:
    """Raises CompileError."""
    nodes = list(walk(checked.tree))
    issues = [issue for name, read in _READERS.items() for issue in _unread(nodes, name, read)]
    inside = {inner for node in nodes if isinstance(node, Call) and node.function in _EXEMPT for inner in walk(node)}
    for node in nodes:
        if isinstance(node, ListOf) and node not in inside:
            issues += _mixed_list(checked, node)
    for node in nodes:
        if isinstance(node, MapOf) and node not in inside:
            issues += _mixed_map(checked, node)
    issues += [issue for node in nodes if isinstance(node, Call) for issue in _misformatted(checked, node)]
    if issues:
        raise CompileError(report(source, issues))


def _misformatted(checked: Checked, call: Call) -> Iterator[Issue]:
    """What is wrong with a call of string.format whose arguments are written out."""
    text, arguments = call.target, call.args[0] if len(call.args) == 1 else None
    if call.function != "format" or not isinstance(text, Literal) or not isinstance(arguments, ListOf):
        return
    try:
        taken = stringformat.count_clauses(str(text.value), arguments.elements, partial(_fits, checked))
    except _Unfit as error:
        yield Issue(error.node.offset, f"error during formatting: {error}")
    except EvaluationError as error:
        yield Issue(call.offset, str(error))
    else:
        if len(arguments.elements) > taken:
            count = f"(expected {taken}, got {len(arguments.elements)})"
            yield Issue(call.offset, f"too many arguments supplied to string.format {count}")


class _Unfit(EvaluationError):
    def __init__(self, node: Node, text: str) -> None:
        super().__init__(text)
        self.node = node


def _fits(checked: Checked, node: Node, clause: str) -> None:
    kind = checked.types[node]
    if kind.kind != "dyn" and kind.kind not in stringformat.TAKES[clause.lower()]:
        raise _Unfit(node, stringformat.wrong_type(clause, kind.runtime_name))
    if clause == "s" and isinstance(node, ListOf | MapOf):
        for child in node.children():
            _fits(checked, child, clause)


def _unread(nodes: list[Node], function: str, read: Callable[[object], object]) -> Iterator[Issue]:
    for node in nodes:
        if not isinstance(node, Call) or node.function != function or not node.args:
            continue
        literal = node.args[0]
        if isinstance(literal, Literal):
            try:
                read(literal.value)
            except EvaluationError:
                yield Issue(literal.offset, f"invalid {function} argument")


def _mixed_list(checked: Checked, node: ListOf) -> Iterator[Issue]:
    first: Type | None = None
    for index, item in enumerate(node.elements):
        kind = _inner(checked.types[item], optional=index in node.optional)
        first = first or kind
        if not equivalent(first, kind):
            yield _mismatch(item, first, kind)
            return


def _mixed_map(checked: Checked, node: MapOf) -> Iterator[Issue]:
    first: tuple[Type, Type] | None = None
    for entry in node.entries:
        key, value = checked.types[entry.key], _inner(checked.types[entry.value], optional=entry.optional)
        first = first or (key, value)
        if not equivalent(first[0], key):
            yield _mismatch(entry.key, first[0], key)
        if not equivalent(first[1], value):
            yield _mismatch(entry.value, first[1], value)


def _inner(kind: Type, *, optional: bool) -> Type:
    return kind.parameters[0] if optional and kind.parameters else kind


def _mismatch(node: Node, wanted: Type, found: Type) -> Issue:
    return Issue(node.offset, f"expected type '{wanted}' but found '{found}'")
