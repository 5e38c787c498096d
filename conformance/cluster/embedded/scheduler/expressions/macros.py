"""Macros: calls that stand for other expressions, most of them comprehensions.

Source: cel-go's parser/macro.go, cel/library.go, ext/bindings.go, ext/comprehensions.go, ext/lists.go.
"""

from collections.abc import Callable
from copy import deepcopy

from conformance.cluster.embedded.scheduler.expressions.errors import Issue
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
_SIMPLE_NAME = "argument must be a simple name"
_IDENTIFIER = "argument is not an identifier"


class _Misuse(Exception):
    def __init__(self, node: Node, text: str) -> None:
        super().__init__(text)
        self.issue = Issue(node.offset, text)


def expand(tree: Node, issues: list[Issue]) -> Node:
    """The tree with macros expanded; macros with unfit arguments are added to the issues."""
    return _Expander(issues).visit(tree)


class _Expander:
    def __init__(self, issues: list[Issue]) -> None:
        self._issues = issues

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
            case StructOf():
                node.fields = [(name, self.visit(value)) for name, value in node.fields]
        return node

    def _call(self, call: Call) -> Node:
        try:
            if call.target is None:
                return _has(call) if (call.function, len(call.args)) == ("has", 1) else call
            macro = _MACROS.get((call.function, len(call.args)))
            return macro(call, call.target) if macro else call
        except _Misuse as misuse:
            self._issues.append(misuse.issue)
            return call


def _name(node: Node, wrong: str = _SIMPLE_NAME) -> str:
    if isinstance(node, Ident):
        return node.name
    raise _Misuse(node, wrong)


def _variable(node: Node, wrong: str = _SIMPLE_NAME) -> str:
    name = _name(node, wrong)
    if name == "__result__":
        raise _Misuse(node, "iteration variable overwrites accumulator variable")
    return name


def _variables(call: Call) -> tuple[str, str]:
    one, other = _name(call.args[0]), _name(call.args[1])
    if one == other:
        raise _Misuse(call.args[1], f"duplicate variable name: {one}")
    return _variable(call.args[0]), _variable(call.args[1])


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


def _has(call: Call) -> Node:
    (field,) = call.args
    if isinstance(field, Select):
        return Select(call.offset, field.operand, field.name, test=True)
    raise _Misuse(field, "invalid argument to has() macro")


def _loop_names(call: Call) -> tuple[str, str]:
    """The variables of all, exists and existsOne, which have one or two of them."""
    return _variables(call) if len(call.args) == 3 else (_variable(call.args[0]), "")


def _all(call: Call, over: Node) -> Node:
    make = _Maker(call)
    condition = make.call("@not_strictly_false", make.accumulator())
    step = make.call("_&&_", make.accumulator(), call.args[-1])
    return _fold(call, over, _loop_names(call), make.literal(True), condition, step, make.accumulator())


def _exists(call: Call, over: Node) -> Node:
    make = _Maker(call)
    condition = make.call("@not_strictly_false", make.call("!_", make.accumulator()))
    step = make.call("_||_", make.accumulator(), call.args[-1])
    return _fold(call, over, _loop_names(call), make.literal(False), condition, step, make.accumulator())


def _exists_one(call: Call, over: Node) -> Node:
    make = _Maker(call)
    more = make.call("_+_", make.accumulator(), make.literal(1))
    step = make.call("_?_:_", call.args[-1], more, make.accumulator())
    end = make.call("_==_", make.accumulator(), make.literal(1))
    return _fold(call, over, _loop_names(call), make.literal(0), make.literal(True), step, end)


def _map(call: Call, over: Node) -> Node:
    return _collect(call, over, call.args[-1], call.args[1] if len(call.args) == 3 else None)


def _filter(call: Call, over: Node) -> Node:
    kept = call.args[0]
    return _collect(call, over, Ident(kept.offset, _variable(kept, _IDENTIFIER)), call.args[1])


def _collect(call: Call, over: Node, value: Node, test: Node | None) -> Node:
    make, name = _Maker(call), _variable(call.args[0], _IDENTIFIER)
    step = make.call("_+_", make.accumulator(), ListOf(call.offset, [value]))
    if test is not None:
        step = make.call("_?_:_", test, step, make.accumulator())
    return _fold(call, over, (name, ""), ListOf(call.offset, []), make.literal(True), step, make.accumulator())


def _bind(call: Call, target: Node) -> Node:
    if not isinstance(target, Ident) or target.name != "cel":
        return call
    return _let(call, _name(call.args[0]), call.args[1], call.args[2])


def _let(call: Call, name: str, value: Node, result: Node) -> Node:
    make = _Maker(call)
    nothing = ListOf(call.offset, [])
    return Fold(call.offset, UNUSED, "", nothing, name, value, make.literal(False), make.name(name), result)


def _opt_map(call: Call, target: Node) -> Node:
    return _if_present(call, target, lambda value: _Maker(call).call("optional.of", value))


def _opt_flat_map(call: Call, target: Node) -> Node:
    return _if_present(call, target, lambda value: value)


def _if_present(call: Call, target: Node, wrap: Callable[[Node], Node]) -> Node:
    make, name = _Maker(call), _name(call.args[0])
    value = Call(call.offset, "value", [], deepcopy(target))
    present = Call(call.offset, "hasValue", [], target)
    return make.call("_?_:_", present, wrap(_let(call, name, value, call.args[1])), make.call("optional.none"))


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
    step = make.call("_+_", make.accumulator(), ListOf(call.offset, [call.args[1]]))
    empty = ListOf(call.offset, [])
    keys = _fold(call, make.name(_SORTED), (name, ""), empty, make.literal(True), step, make.accumulator())
    ordered = Call(call.offset, "@sortByAssociatedKeys", [keys], make.name(_SORTED))
    return _let(call, _SORTED, over, ordered)


_MACROS: dict[tuple[str, int], Callable[[Call, Node], Node]] = {
    **{("all", count): _all for count in (2, 3)},
    **{("exists", count): _exists for count in (2, 3)},
    **{("exists_one", count): _exists_one for count in (2, 3)},
    ("existsOne", 3): _exists_one,
    ("map", 2): _map,
    ("map", 3): _map,
    ("filter", 2): _filter,
    ("bind", 3): _bind,
    ("optMap", 2): _opt_map,
    ("optFlatMap", 2): _opt_flat_map,
    ("transformList", 3): _transform_list,
    ("transformList", 4): _transform_list,
    ("transformMap", 3): _transform_map,
    ("transformMap", 4): _transform_map,
    ("transformMapEntry", 3): _transform_entry,
    ("transformMapEntry", 4): _transform_entry,
    ("sortBy", 2): _sort_by,
}
