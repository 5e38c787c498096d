"""The type checker (cel-go's checker/checker.go)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from conformance.cluster.embedded.scheduler.expressions.declarations import Declarations, Overload
from conformance.cluster.embedded.scheduler.expressions.errors import CompileError, Issue, report
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
from conformance.cluster.embedded.scheduler.expressions.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    UINT,
    Type,
    list_of,
    map_of,
    optional_of,
    param,
    unwrap,
)
from conformance.cluster.embedded.scheduler.expressions.unify import Bindings, assignable, most_general, substitute
from conformance.cluster.embedded.scheduler.expressions.values import UInt

_LOGICAL = ("_&&_", "_||_")
_LITERALS: tuple[tuple[type, Type], ...] = (
    (bool, BOOL),
    (UInt, UINT),
    (int, INT),
    (float, DOUBLE),
    (str, STRING),
    (bytes, BYTES),
    (type(None), NULL),
)


@dataclass
class Checked:
    """What the checker found out: the type of every node and the overloads that a call may turn out to be."""

    tree: Node
    types: dict[Node, Type] = field(default_factory=dict)
    overloads: dict[Node, list[str]] = field(default_factory=dict)


def check(source: str, tree: Node, declared: Declarations) -> Checked:
    """Check a tree, in which qualified names of functions become names of functions. Raises CompileError."""
    checker = _Checker(tree, declared)
    checker.visit(tree)
    if checker.issues:
        raise CompileError(report(source, checker.issues))
    types = checker.found.types
    for node, kind in types.items():
        types[node] = substitute(checker.bindings, kind, free_is_dyn=True)
    return checker.found


class _Checker:
    def __init__(self, tree: Node, declared: Declarations) -> None:
        self.found = Checked(tree)
        self.issues: list[Issue] = []
        self.bindings: Bindings = {}
        self._declared = declared
        self._scopes: list[dict[str, Type]] = []
        self._fresh = 0

    def visit(self, node: Node) -> Type:
        """The type of a node; ERROR where it has none."""
        match node:
            case Literal():
                kind = next(kind for native, kind in _LITERALS if isinstance(node.value, native))
            case Ident():
                kind = self._ident(node)
            case Select():
                kind = self._select(node)
            case Call():
                kind = self._call(node)
            case ListOf():
                kind = self._list(node)
            case MapOf():
                kind = self._map(node)
            case StructOf():
                kind = self._struct(node)
            case Fold():
                kind = self._fold(node)
            case _:
                raise TypeError(f"unknown node {node!r}")
        self.found.types[node] = kind
        return kind

    def _report(self, node: Node, text: str) -> Type:
        self.issues.append(Issue(node.offset, text))
        return ERROR

    def _mismatch(self, node: Node, wanted: Type, found: Type) -> Type:
        return self._report(node, f"expected type '{wanted}' but found '{found}'")

    def _undeclared(self, node: Node, name: str) -> Type:
        return self._report(node, f"undeclared reference to '{name}' (in container '')")

    def _known(self, kind: Type) -> Type:
        return substitute(self.bindings, kind)

    def _assign(self, one: Sequence[Type], other: Sequence[Type]) -> bool:
        bindings = assignable(self.bindings, one, other)
        if bindings is not None:
            self.bindings = bindings
        return bindings is not None

    def _variable(self) -> Type:
        self._fresh += 1
        return param(f"_var{self._fresh - 1}")

    def _resolve(self, name: str) -> Type | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return self._declared.identifiers.get(name.removeprefix("."))

    def _ident(self, node: Ident) -> Type:
        return self._resolve(node.name) or self._undeclared(node, node.name)

    def _select(self, node: Select) -> Type:
        name = _qualified(node)
        known = self._resolve(name) if name else None
        if known is not None:
            return known
        kind = self._field(node, node.operand, node.name, optional=False)
        return BOOL if node.test else self._known(kind)

    def _field(self, node: Node, operand: Node, name: str, *, optional: bool) -> Type:
        target, wrapped = unwrap(self._known(self.visit(operand)))
        if target.kind == "map":
            result = target.parameters[1]
        elif target.kind == "struct":
            result = self._declared_field(node, target, name)
        elif target.kind == "param":
            self._assign([DYN], [target])
            result = DYN
        else:
            if not target.dynamic and target != ERROR:
                self._report(node, f"type '{target}' does not support field selection")
            result = DYN
        return optional_of(result) if wrapped or optional else result

    def _declared_field(self, node: Node, target: Type, name: str) -> Type:
        fields = self._declared.fields.get(target.name)
        if fields is None:
            return self._report(node, f"unexpected failed resolution of '{target.name}'")
        return fields.get(name) or self._report(node, f"undefined field '{name}'")

    def _call(self, node: Call) -> Type:
        if node.function == "_?._":
            return self._optional_field(node)
        for item in node.args:
            self.visit(item)
        functions = self._declared.functions
        if node.target is None:
            if node.function.removeprefix(".") not in functions:
                return self._undeclared(node, node.function)
            node.function = node.function.removeprefix(".")
            return self._overload(node)
        prefix = _qualified(node.target)
        qualified = f"{prefix}.{node.function}".removeprefix(".")
        if prefix and qualified in functions:
            node.function, node.target = qualified, None
            return self._overload(node)
        self.visit(node.target)
        if node.function not in functions:
            return self._undeclared(node, node.function)
        return self._overload(node)

    def _optional_field(self, node: Call) -> Type:
        operand, name = node.args
        if not isinstance(name, Literal) or not isinstance(name.value, str):
            return self._report(name, "unsupported optional field selection")
        self.found.overloads[node] = ["select_optional_field"]
        return self._known(self._field(node, operand, name.value, optional=True))

    def _overload(self, node: Call) -> Type:
        parts = [*([node.target] if node.target is not None else []), *node.args]
        given = [self.found.types[part] for part in parts]
        member = node.target is not None
        result: Type | None = None
        if node.function in _LOGICAL:
            return self._logical(node, given)
        for overload in self._declared.functions[node.function]:
            if overload.member != member:
                continue
            parameters, promised = self._instance(overload)
            if not self._assign(given, parameters):
                continue
            self.found.overloads.setdefault(node, []).append(overload.id)
            this = self._known(promised)
            if result is None:
                result = this
            elif not result.dynamic and this != result:
                result = DYN
        if result is None:
            return self._no_overload(node, given, member=member)
        return result

    def _logical(self, node: Call, given: Sequence[Type]) -> Type:
        self.found.overloads[node] = ["logical_and" if node.function == "_&&_" else "logical_or"]
        fine = True
        for item, kind in zip(node.args, given, strict=True):
            if not self._assign([kind], [BOOL]):
                self._mismatch(item, BOOL, kind)
                fine = False
        return BOOL if fine else ERROR

    def _no_overload(self, node: Call, given: Sequence[Type], *, member: bool) -> Type:
        shown = [str(substitute(self.bindings, kind, free_is_dyn=True)) for kind in given]
        signature = f"{shown.pop(0)}." if member else ""
        signature += f"({', '.join(shown)})"
        return self._report(node, f"found no matching overload for '{node.function}' applied to '{signature}'")

    def _instance(self, overload: Overload) -> tuple[list[Type], Type]:
        """Parameters and result with type parameters of their own."""
        names = sorted({name for kind in (*overload.parameters, overload.result) for name in _parameters(kind)})
        fresh = {param(name): self._variable() for name in names}
        return [substitute(fresh, kind) for kind in overload.parameters], substitute(fresh, overload.result)

    def _join(self, before: Type | None, now: Type) -> Type:
        """The type of elements; that they are of one type is looked at later."""
        if before is None:
            return now
        return most_general(before, now) if self._assign([before], [now]) else DYN

    def _optional(self, node: Node, kind: Type, *, optional: bool) -> Type:
        if not optional:
            return kind
        inner, wrapped = unwrap(kind)
        if not wrapped and not inner.dynamic:
            self._mismatch(node, optional_of(inner), inner)
        return inner

    def _list(self, node: ListOf) -> Type:
        kind: Type | None = None
        for index, item in enumerate(node.elements):
            found = self._optional(item, self.visit(item), optional=index in node.optional)
            kind = self._join(kind, found)
        return list_of(kind or self._variable())

    def _map(self, node: MapOf) -> Type:
        key: Type | None = None
        value: Type | None = None
        for entry in node.entries:
            key = self._join(key, self.visit(entry.key))
            found = self._optional(entry.value, self.visit(entry.value), optional=entry.optional)
            value = self._join(value, found)
        return map_of(key or self._variable(), value or self._variable())

    def _struct(self, node: StructOf) -> Type:
        name = node.name.removeprefix(".")
        known = self._declared.identifiers.get(name)
        if known is None:
            return self._undeclared(node, node.name)
        if known.kind != "type":
            return self._report(node, f"'{known}' is not a type")
        kind = known.parameters[0] if known.parameters else known
        if kind.kind != "struct":
            return self._report(node, f"'{kind}' is not a message type")
        for field_name, value in node.fields:
            found = self.visit(value)
            wanted = self._declared_field(value, kind, field_name)
            if not self._assign([wanted], [found]):
                text = f"expected type of field '{field_name}' is '{wanted}' but provided type is '{found}'"
                self._report(value, text)
        return kind

    def _fold(self, node: Fold) -> Type:
        over = self._known(self.visit(node.over))
        start = self.visit(node.start)
        one, two = self._ranged(node, over)
        self._scopes.append({node.accumulator: start})
        self._scopes.append({node.variable: one} | ({node.second: two} if node.second else {}))
        self._demand(node.condition, BOOL)
        self._demand(node.step, start)
        self._scopes.pop()
        result = self.visit(node.result)
        self._scopes.pop()
        return self._known(result)

    def _ranged(self, node: Fold, over: Type) -> tuple[Type, Type]:
        """Types of the variables of a loop."""
        if over.kind == "list":
            return (INT, over.parameters[0]) if node.second else (over.parameters[0], ERROR)
        if over.kind == "map":
            return over.parameters[0], over.parameters[1]
        if over.kind in ("dyn", "error", "param"):
            self._assign([DYN], [over])
            return DYN, DYN
        text = f"expression of type '{over}' cannot be range of a comprehension (must be list, map, or dynamic)"
        return self._report(node.over, text), ERROR

    def _demand(self, node: Node, wanted: Type) -> None:
        found = self.visit(node)
        if not self._assign([wanted], [found]):
            self._mismatch(node, wanted, found)


def _parameters(kind: Type) -> set[str]:
    if kind.kind == "param":
        return {kind.name}
    return {name for item in kind.parameters for name in _parameters(item)}


def _qualified(node: Node) -> str:
    """`a.b.c`, or "" for anything else."""
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select) and not node.test:
        prefix = _qualified(node.operand)
        return f"{prefix}.{node.name}" if prefix else ""
    return ""
