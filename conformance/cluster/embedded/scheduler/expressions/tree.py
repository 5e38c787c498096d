"""The syntax tree of an expression."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Node:
    """A part of an expression; `offset` is where it stands in the source, in characters."""

    offset: int

    def children(self) -> Iterator["Node"]:
        """The parts of this part, in the order of the source."""
        yield from ()


@dataclass(eq=False)
class Literal(Node):
    """A constant: None, bool, int, UInt, float, str or bytes."""

    value: Any


@dataclass(eq=False)
class Ident(Node):
    """The name of a variable or type."""

    name: str


@dataclass(eq=False)
class Select(Node):
    """`operand.name`, or with `test` the macro has(operand.name)."""

    operand: Node
    name: str
    test: bool = False

    def children(self) -> Iterator[Node]:
        yield self.operand


@dataclass(eq=False)
class Call(Node):
    """`function(args)`, `target.function(args)` or an operator."""

    function: str
    args: list[Node]
    target: Node | None = None

    def children(self) -> Iterator[Node]:
        if self.target is not None:
            yield self.target
        yield from self.args


@dataclass(eq=False)
class ListOf(Node):
    """`[a, ?b]`; `optional` are the indices of elements with a question mark."""

    elements: list[Node]
    optional: frozenset[int] = frozenset()

    def children(self) -> Iterator[Node]:
        yield from self.elements


@dataclass(eq=False)
class Entry(Node):
    """One `key: value` of a map."""

    key: Node
    value: Node
    optional: bool = False

    def children(self) -> Iterator[Node]:
        yield self.key
        yield self.value


@dataclass(eq=False)
class MapOf(Node):
    """`{key: value}`."""

    entries: list[Entry]

    def children(self) -> Iterator[Node]:
        for entry in self.entries:
            yield from entry.children()


@dataclass(eq=False)
class StructOf(Node):
    """`Type{field: value, ?field: value}`; `optional` are the indices of fields with a question mark."""

    name: str
    fields: list[tuple[str, Node]] = field(default_factory=list)
    optional: frozenset[int] = frozenset()

    def children(self) -> Iterator[Node]:
        yield from (value for _, value in self.fields)


@dataclass(eq=False)
class Fold(Node):
    """A comprehension, which macros expand to. `second` is the second variable of the loop, "" without one."""

    variable: str
    second: str
    over: Node
    accumulator: str
    start: Node
    condition: Node
    step: Node
    result: Node

    def children(self) -> Iterator[Node]:
        yield from (self.over, self.start, self.condition, self.step, self.result)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything in it."""
    yield node
    for child in node.children():
        yield from walk(child)
