"""What the parser leaves to do: macros that it does not expand, and literals out of range.

The macros are comprehensions with two variables, and sortBy.

Source: cel-go's ext/comprehensions.go, ext/lists.go.
"""

import math
from collections.abc import Callable

from conformance.cluster.embedded.scheduler.expressions.errors import CompileError, Issue, report
from conformance.cluster.embedded.scheduler.expressions.tree import (
    Call,
    Entry,
    Fold,
    Ident,
    ListOf,
    Literal,
    MapOf,
    Node,
    Select,
    StructOf,
)

ACCUMULATOR = "@result"
UNUSED = "#unused"
_SORTED = "@__sortBy_input__"


class _Misuse(Exception):
    def __init__(self, node: Node, text: str) -> None:
        super().__init__(text)
        self.issue = Issue(node.offset, text)


def expand(source: str, tree: Node) -> Node:
    """The tree with those macros expanded. Raises CompileError for a macro with unfit arguments."""
    expander = _Expander(source)
    expanded = expander.visit(tree)
    if expander.issues:
        raise CompileError(report(source, expander.issues))
    return expanded


class _Expander:
    def __init__(self, source: str) -> None:
        self.issues: list[Issue] = []
        self._source = source

    def visit(self, node: Node) -> Node:
        match node:
            case Select():
                node.operand = self.visit(node.operand)
            case Call():
                if node.target is not None:
                    node.target = self.visit(node.target)
                node.args = [self.visit(item) for item in node.args]
                return self._call(node)
            case ListOf():
                node.elements = [self.visit(item) for item in node.elements]
            case MapOf():
                for entry in node.entries:
                    entry.key, entry.value = self.visit(entry.key), self.visit(entry.value)
            case Literal():
                if isinstance(node.value, float) and math.isinf(node.value):
                    self.issues.append(Issue(node.offset, "invalid double literal"))
            case StructOf():
                node.offset = self._source.index("{", node.offset)
                node.fields = [(name, self.visit(value)) for name, value in node.fields]
            case Fold():
                node.over, node.start = self.visit(node.over), self.visit(node.start)
                node.condition, node.step = self.visit(node.condition), self.visit(node.step)
                node.result = self.visit(node.result)
        return node

    def _call(self, call: Call) -> Node:
        macro = _MACROS.get((call.function, len(call.args)))
        if macro is None or call.target is None:
            return call
        try:
            return macro(call, call.target)
        except _Misuse as misuse:
            self.issues.append(misuse.issue)
            return call


def _variable(node: Node) -> str:
    if isinstance(node, Ident):
        return node.name
    raise _Misuse(node, "argument must be a simple name")


def _variables(call: Call) -> tuple[str, str]:
    one, other = _variable(call.args[0]), _variable(call.args[1])
    if one == other:
        raise _Misuse(call.args[1], f"duplicate variable name: {one}")
    for name, node in zip((one, other), call.args, strict=False):
        if name in (ACCUMULATOR, "__result__"):
            raise _Misuse(node, "iteration variable overwrites accumulator variable")
    return one, other


def _fold(call: Call, over: Node, names: tuple[str, str], start: Node, condition: Node, step: Node, end: Node) -> Fold:
    return Fold(call.offset, *names, over, ACCUMULATOR, start, condition, step, end)


class _Maker:
    """Makes nodes that stand where a macro does."""

    def __init__(self, call: Call) -> None:
        self._offset = call.offset

    def accumulator(self) -> Node:
        return Ident(self._offset, ACCUMULATOR)

    def name(self, name: str) -> Node:
        return Ident(self._offset, name)

    def literal(self, value: object) -> Node:
        return Literal(self._offset, value)

    def call(self, function: str, *args: Node) -> Node:
        return Call(self._offset, function, list(args))


def _all(call: Call, over: Node) -> Node:
    make = _Maker(call)
    condition = make.call("@not_strictly_false", make.accumulator())
    step = make.call("_&&_", make.accumulator(), call.args[2])
    return _fold(call, over, _variables(call), make.literal(True), condition, step, make.accumulator())


def _exists(call: Call, over: Node) -> Node:
    make = _Maker(call)
    condition = make.call("@not_strictly_false", make.call("!_", make.accumulator()))
    step = make.call("_||_", make.accumulator(), call.args[2])
    return _fold(call, over, _variables(call), make.literal(False), condition, step, make.accumulator())


def _exists_one(call: Call, over: Node) -> Node:
    make = _Maker(call)
    more = make.call("_+_", make.accumulator(), make.literal(1))
    step = make.call("_?_:_", call.args[2], more, make.accumulator())
    end = make.call("_==_", make.accumulator(), make.literal(1))
    return _fold(call, over, _variables(call), make.literal(0), make.literal(True), step, end)


def _transform(call: Call, over: Node, start: Node, step: Callable[[str, Node], Node]) -> Node:
    """`step` makes the new value of the accumulator from the key's name and the transformation."""
    make, names = _Maker(call), _variables(call)
    change = step(names[0], call.args[-1])
    if len(call.args) == 4:
        change = make.call("_?_:_", call.args[2], change, make.accumulator())
    return _fold(call, over, names, start, make.literal(True), change, make.accumulator())


def _transform_list(call: Call, over: Node) -> Node:
    make = _Maker(call)

    def step(_: str, value: Node) -> Node:
        return make.call("_+_", make.accumulator(), ListOf(call.offset, [value]))

    return _transform(call, over, ListOf(call.offset, []), step)


def _transform_map(call: Call, over: Node) -> Node:
    make = _Maker(call)
    empty: list[Entry] = []

    def step(key: str, value: Node) -> Node:
        return make.call("cel.@mapInsert", make.accumulator(), make.name(key), value)

    return _transform(call, over, MapOf(call.offset, empty), step)


def _transform_entry(call: Call, over: Node) -> Node:
    make = _Maker(call)
    empty: list[Entry] = []

    def step(_: str, value: Node) -> Node:
        return make.call("cel.@mapInsert", make.accumulator(), value)

    return _transform(call, over, MapOf(call.offset, empty), step)


def _sort_by(call: Call, over: Node) -> Node:
    if not isinstance(over, ListOf | Select | Ident | Fold | Call):
        kinds = "a list, identifier, comprehension, call or select expression"
        raise _Misuse(over, f"sortBy can only be applied to {kinds}")
    make, name = _Maker(call), _variable(call.args[0])
    if name in (ACCUMULATOR, "__result__"):
        raise _Misuse(call.args[0], "iteration variable overwrites accumulator variable")
    step = make.call("_+_", make.accumulator(), ListOf(call.offset, [call.args[1]]))
    empty = ListOf(call.offset, [])
    keys = _fold(call, make.name(_SORTED), (name, ""), empty, make.literal(True), step, make.accumulator())
    ordered = Call(call.offset, "@sortByAssociatedKeys", [keys], make.name(_SORTED))
    nothing = ListOf(call.offset, [])
    return Fold(call.offset, UNUSED, "", nothing, _SORTED, over, make.literal(False), make.name(_SORTED), ordered)


_MACROS: dict[tuple[str, int], Callable[[Call, Node], Node]] = {
    ("all", 3): _all,
    ("exists", 3): _exists,
    ("existsOne", 3): _exists_one,
    ("exists_one", 3): _exists_one,
    ("transformList", 3): _transform_list,
    ("transformList", 4): _transform_list,
    ("transformMap", 3): _transform_map,
    ("transformMap", 4): _transform_map,
    ("transformMapEntry", 3): _transform_entry,
    ("transformMapEntry", 4): _transform_entry,
    ("sortBy", 2): _sort_by,
}
