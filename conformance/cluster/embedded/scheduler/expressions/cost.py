"""The estimated cost of an expression (cel-go's checker/cost.go), which decides whether it is accepted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conformance.cluster.embedded.scheduler.expressions import callcost
from conformance.cluster.embedded.scheduler.expressions.callcost import CallCost, Part
from conformance.cluster.embedded.scheduler.expressions.check import Checked
from conformance.cluster.embedded.scheduler.expressions.ranges import END, NOTHING, ONE, UNKNOWN, Range, fixed
from conformance.cluster.embedded.scheduler.expressions.sizes import Path, size_of
from conformance.cluster.embedded.scheduler.expressions.tree import (
    Call,
    Fold,
    Ident,
    ListOf,
    Literal,
    MapOf,
    Node,
    Select,
    StructOf,
)
from conformance.cluster.embedded.scheduler.expressions.types import STRING, Type, unwrap

_LIST, _MAP, _MESSAGE = fixed(10), fixed(30), fixed(40)
_SCALARS = ("bool", "double", "duration", "int", "timestamp", "uint")


@dataclass(frozen=True)
class Entries:
    """Sizes of the keys (or indices) and values of a container."""

    kind: str
    key: Range
    value: Range

    def union(self, other: "Entries | None") -> "Entries | None":
        """What covers both."""
        return other and replace(self, key=self.key.union(other.key), value=self.value.union(other.value))


@dataclass(frozen=True)
class _Local:
    path: Path
    size: Range | None
    entries: Entries | None = None


def estimate(checked: Checked) -> int:
    """The most that an evaluation may cost."""
    return _Coster(checked).cost(checked.tree).most


class _Coster:
    def __init__(self, checked: Checked) -> None:
        self._types = checked.types
        self._overloads = checked.overloads
        self._paths: dict[Node, Path] = {}
        self._sizes: dict[Node, Range] = {}
        self._entries: dict[Node, Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    def cost(self, node: Node) -> Range:
        """The cost of one node with all that is in it."""
        match node:
            case Literal():
                return NOTHING
            case Ident():
                local = self._local(node.name)
                self._paths[node] = local.path if local else (node.name.removeprefix("."),)
                return ONE
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListOf():
                return self._list(node)
            case MapOf():
                return self._map(node)
            case StructOf():
                return _sum([self.cost(value) for _, value in node.fields]).plus(_MESSAGE)
            case Fold():
                return self._bind(node) if _is_bind(node) else self._fold(node)
            case _:
                return NOTHING

    def _local(self, name: str) -> _Local | None:
        stack = self._locals.get(name)
        return stack[-1] if stack else None

    def _select(self, node: Select) -> Range:
        if node.operand not in self._types:
            # The name of a type, with dots in it.
            return ONE
        inner = self.cost(node.operand)
        if node.test:
            return inner
        self._paths[node] = (*self._path(node.operand), node.name)
        return inner.plus(ONE) if self._types[node.operand].kind in ("map", "struct", "param") else inner

    def _call(self, node: Call) -> Range:
        if node.function == "dyn":
            inner = self.cost(node.args[0])
            self._copy(node, node.args[0])
            return inner.plus(ONE)
        costs = [self.cost(item) for item in node.args]
        args = [self._part(item) for item in node.args]
        overloads = self._overloads.get(node)
        if not overloads:
            return NOTHING
        before, target = NOTHING, None
        if node.target is not None:
            before, target = self.cost(node.target), self._part(node.target)
        whole, size = Range(END, 0), None
        for overload in overloads:
            found = self._function(node, overload, target, args, costs)
            whole = whole.union(found.cost)
            if found.size is not None:
                size = found.size if size is None else size.union(found.size)
            if overload in ("index_list", "index_map"):
                held = self._held(node.args[0])
                size = held.value if held else None
                self._paths[node] = (*self._path(node.args[0]), "@items" if overload == "index_list" else "@values")
            if size is None:
                size = self._size(node)
        self._keep(node, size)
        return before.plus(whole)

    def _function(
        self, node: Call, overload: str, target: Part | None, args: Sequence[Part], costs: Sequence[Range]
    ) -> CallCost:
        if overload in ("logical_and", "logical_or"):
            # The first operand may decide.
            return CallCost(Range(costs[0].least, costs[0].plus(costs[1]).most))
        if overload == "conditional":
            size = _known(args[1].size).union(_known(args[2].size))
            one, other = self._held(node.args[1]), self._held(node.args[2])
            self._hold(node, one and one.union(other))
            return CallCost(costs[0].plus(costs[1].union(costs[2])), size)
        if overload in ("add_string", "add_bytes", "add_list"):
            one, other = self._held(node.args[0]), self._held(node.args[1])
            self._hold(node, one and one.union(other))
        found = callcost.estimate(node.function, overload, target, args)
        return CallCost(found.cost.plus(_sum(costs)), found.size)

    def _list(self, node: ListOf) -> Range:
        costs = [self.cost(item) for item in node.elements]
        sizes = [_known(self._size(item)) for item in node.elements]
        self._entries[node] = Entries("list", ONE, _cover(sizes))
        return _sum(costs).plus(_LIST)

    def _map(self, node: MapOf) -> Range:
        costs = [self.cost(item) for item in node.children()]
        keys = [_known(self._size(entry.key)) for entry in node.entries]
        values = [_known(self._size(entry.value)) for entry in node.entries]
        self._entries[node] = Entries("map", _cover(keys), _cover(values))
        return _sum(costs).plus(_MAP)

    def _fold(self, node: Fold) -> Range:
        total = self.cost(node.over).plus(self.cost(node.start))
        self._push(node.accumulator, self._bound(node.start))
        names = [node.variable, node.second] if node.second else [node.variable]
        if node.second:
            self._push(node.variable, self._iterated(node.over, "key"))
            self._push(node.second, self._iterated(node.over, "value"))
        else:
            self._push(node.variable, self._iterated(node.over, "one"))
        loop = self.cost(node.condition)
        step = self.cost(node.step)
        for name in names:
            self._locals[name].pop()
        total = total.plus(self.cost(node.result))
        self._locals[node.accumulator].pop()
        count = _known(self._size(node.over))
        total = total.plus(count.times(step.plus(loop)))
        if isinstance(node.start, Literal):
            self._keep(node, self._size(node.start))
        elif isinstance(node.start, ListOf | MapOf):
            self._keep(node, count)
            self._hold(node, self._held(node.step))
        return total

    def _bind(self, node: Fold) -> Range:
        total = self.cost(node.over).plus(self.cost(node.start))
        self._push(node.accumulator, self._bound(node.start))
        total = total.plus(self.cost(node.result))
        self._locals[node.accumulator].pop()
        self._copy(node, node.result)
        return total

    def _push(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _bound(self, node: Node) -> _Local:
        held = self._held(node)
        return _Local(self._path(node), self._size(node), held)

    def _iterated(self, over: Node, what: str) -> _Local:
        """A variable of a loop: the key or index, the value, or what a loop with one variable goes through."""
        held = self._held(over)
        listed = (held.kind if held else self._types[over].kind) == "list"
        if what == "one":
            what = "value" if listed else "key"
        names = {"key": "@indices" if listed else "@keys", "value": "@items" if listed else "@values"}
        size = (held.key if what == "key" else held.value) if held else None
        return _Local((*self._path(over), names[what]), size)

    def _part(self, node: Node) -> Part:
        path = self._path(node)
        if path and path[0] in ("@result", "__result__"):
            path = ()
        return Part(self._types.get(node, STRING), path, self._size(node), node)

    def _path(self, node: Node) -> Path:
        local = self._local(node.name) if isinstance(node, Ident) else None
        return local.path if local else self._paths.get(node, ())

    def _size(self, node: Node) -> Range | None:
        if node in self._sizes:
            return self._sizes[node]
        size = _written(node)
        if size is not None:
            return size
        declared = size_of(self._path(node))
        if declared is not None:
            self._sizes[node] = declared
            return declared
        if _scalar(self._types.get(node, STRING)):
            return ONE
        local = self._local(node.name) if isinstance(node, Ident) else None
        return local.size if local else None

    def _keep(self, node: Node, size: Range | None) -> None:
        if size is not None:
            self._sizes[node] = size

    def _held(self, node: Node) -> Entries | None:
        if node in self._entries:
            return self._entries[node]
        local = self._local(node.name) if isinstance(node, Ident) else None
        return local.entries if local else None

    def _hold(self, node: Node, entries: Entries | None) -> None:
        if entries is not None:
            self._entries[node] = entries

    def _copy(self, node: Node, source: Node) -> None:
        self._keep(node, self._size(source))
        self._hold(node, self._held(source))


def _sum(costs: Sequence[Range]) -> Range:
    total = NOTHING
    for cost in costs:
        total = total.plus(cost)
    return total


def _cover(sizes: Sequence[Range]) -> Range:
    whole = Range(END, 0) if sizes else NOTHING
    for size in sizes:
        whole = whole.union(size)
    return whole


def _known(size: Range | None) -> Range:
    return UNKNOWN if size is None else size


def _is_bind(node: Fold) -> bool:
    empty = isinstance(node.over, ListOf) and not node.over.elements
    never = isinstance(node.condition, Literal) and node.condition.value is False
    return empty and never and node.accumulator != "__result__"


def _written(node: Node) -> Range | None:
    """The size of what is written out in the expression."""
    if isinstance(node, Literal):
        return fixed(len(node.value)) if isinstance(node.value, str | bytes) else ONE
    if isinstance(node, ListOf):
        return fixed(len(node.elements))
    return fixed(len(node.entries)) if isinstance(node, MapOf) else None


def _scalar(kind: Type) -> bool:
    return unwrap(kind)[0].kind in _SCALARS
