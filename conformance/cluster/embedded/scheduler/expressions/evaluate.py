"""From a checked tree to a Python function (cel-go's interpreter)."""

from collections.abc import Callable, Mapping
from typing import Any

from conformance.cluster.embedded.scheduler.expressions import operators
from conformance.cluster.embedded.scheduler.expressions.check import Checked
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.functions import function
from conformance.cluster.embedded.scheduler.expressions.tree import (
    Call,
    Fold,
    Ident,
    ListOf,
    Literal,
    MapOf,
    Node,
    Select,
)
from conformance.cluster.embedded.scheduler.expressions.values import NONE, Optional, TypeName, go_name

Scope = dict[str, Any]
Program = Callable[[Scope], Any]


def program(checked: Checked) -> Program:
    """The expression as a function of its variables. It raises EvaluationError."""
    return _Planner(checked).plan(checked.tree)


def part(checked: Checked, node: Node) -> Program:
    """The same for a part of the expression that names no variables."""
    return _Planner(checked).plan(node)


class _Planner:
    def __init__(self, checked: Checked) -> None:
        self._types = checked.types
        self._overloads = checked.overloads

    def plan(self, node: Node) -> Program:
        match node:
            case Literal():
                value = node.value
                return lambda _: value
            case Ident():
                return _ident(node.name)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListOf():
                return self._list(node)
            case MapOf():
                return self._map(node)
            case Fold():
                return self._fold(node)
            case _:
                return _unsupported

    def _select(self, node: Select) -> Program:
        if node.operand not in self._types:
            return _ident(_qualified(node))
        operand, name = self.plan(node.operand), node.name
        if node.test:
            return lambda scope: _has(operand(scope), name)
        return lambda scope: _field(operand(scope), name)

    def _call(self, node: Call) -> Program:
        match node.function:
            case "_&&_":
                return _logical([self.plan(item) for item in node.args], decisive=False)
            case "_||_":
                return _logical([self.plan(item) for item in node.args], decisive=True)
            case "_?:_" | "_?_:_":
                return _conditional(*(self.plan(item) for item in node.args))
            case "@not_strictly_false":
                return _not_strictly_false(self.plan(node.args[0]))
            case "_?._":
                operand, name = self.plan(node.args[0]), node.args[1]
                key = name.value if isinstance(name, Literal) else None
                return lambda scope: _optional_field(operand(scope), key)
            case "@in" if isinstance(node.args[1], ListOf) and not node.args[1].elements:
                # Kubernetes does not ask for the item then.
                return lambda _: False
            case "or" | "orValue" if node.target is not None:
                return _or(self.plan(node.target), self.plan(node.args[0]), whole=node.function == "or")
        parts = [*([node.target] if node.target is not None else []), *node.args]
        return _strict(self._implementation(node), [self.plan(item) for item in parts])

    def _implementation(self, node: Call) -> Callable[..., Any]:
        if node.function in operators.UNARY:
            return operators.UNARY[node.function]
        if node.function == "@in" and isinstance(node.args[1], ListOf) and _written_out(node.args[1]):
            return operators.contains_constant
        if node.function in operators.OPERATORS:
            return operators.OPERATORS[node.function]
        return function(node.function, tuple(self._overloads[node]), member=node.target is not None)

    def _list(self, node: ListOf) -> Program:
        items = [self.plan(item) for item in node.elements]
        if not node.optional:
            return lambda scope: [item(scope) for item in items]
        optional = node.optional

        def build(scope: Scope) -> list[Any]:
            built: list[Any] = []
            for index, item in enumerate(items):
                value = item(scope)
                if index not in optional:
                    built.append(value)
                elif _optional(value).present:
                    built.append(value.value)
            return built

        return build

    def _map(self, node: MapOf) -> Program:
        entries = [(self.plan(entry.key), self.plan(entry.value), entry.optional) for entry in node.entries]

        def build(scope: Scope) -> dict[Any, Any]:
            built: dict[Any, Any] = {}
            for key_of, value_of, optional in entries:
                key, value = key_of(scope), value_of(scope)
                if not optional:
                    built[_key(key)] = value
                elif _optional(value).present:
                    built[_key(key)] = value.value
            return built

        return build

    def _fold(self, node: Fold) -> Program:
        if node.variable == "#unused":
            return self._bind(node)
        over, start, result = self.plan(node.over), self.plan(node.start), self.plan(node.result)
        condition, step = self.plan(node.condition), self.plan(node.step)
        accumulator, variable, second = node.accumulator, node.variable, node.second

        def fold(scope: Scope) -> Any:
            whole = over(scope)
            inner = {**scope, accumulator: _held(start, scope)}
            for key, value in _iterate(whole, pairs=bool(second)):
                inner[variable] = key
                if second:
                    inner[second] = value
                try:
                    if condition(inner) is not True:
                        break
                except EvaluationError:
                    break
                inner[accumulator] = _held(step, inner)
            return result(inner)

        return fold

    def _bind(self, node: Fold) -> Program:
        start, result, name = self.plan(node.start), self.plan(node.result), node.accumulator
        # Evaluated when it is used, and only once.
        return lambda scope: result({**scope, name: _Later(start, scope)})


def _written_out(node: ListOf) -> bool:
    return not node.optional and all(isinstance(item, Literal) for item in node.elements)


class _Later:
    """A value that is evaluated when it is asked for."""

    def __init__(self, start: Program, scope: Scope) -> None:
        self._start: Program | None = start
        self._scope = scope
        self._value: Any = None

    def get(self) -> Any:
        """The value. Raises EvaluationError."""
        if self._start is not None:
            self._value, self._start = _held(self._start, self._scope), None
        if isinstance(self._value, EvaluationError):
            raise self._value
        return self._value


def _held(evaluate: Program, scope: Scope) -> Any:
    """The value, or the error as a value."""
    try:
        return evaluate(scope)
    except EvaluationError as error:
        return error


def _unsupported(_: Scope) -> Any:
    raise EvaluationError("unsupported expression")


def _qualified(node: Node) -> str:
    return f"{_qualified(node.operand)}.{node.name}" if isinstance(node, Select) else getattr(node, "name", "")


def _ident(name: str) -> Program:
    plain = name.removeprefix(".")

    def load(scope: Scope) -> Any:
        if name not in scope:
            return scope[plain] if plain in scope else TypeName(plain)
        value = scope[name]
        if isinstance(value, _Later):
            return value.get()
        if isinstance(value, EvaluationError):
            raise value
        return value

    return load


def _field(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        try:
            return value[name]
        except KeyError:
            raise EvaluationError(f"no such key: {name}") from None
    return operators.element(value, name)


def _has(value: Any, name: str) -> bool:
    if isinstance(value, Optional):
        return value.present and _has(value.value, name)
    return operators.find(value, name).present


def _optional_field(value: Any, name: Any) -> Optional:
    if isinstance(value, Optional):
        return _optional_field(value.value, name) if value.present else NONE
    return operators.find(value, name)


def _logical(terms: list[Program], *, decisive: bool) -> Program:
    """`&&` and `||`: a term with the decisive value decides, even when others are errors."""

    def evaluate(scope: Scope) -> bool:
        failure: EvaluationError | None = None
        for term in terms:
            try:
                value = term(scope)
            except EvaluationError as error:
                failure = failure or error
                continue
            if value is decisive:
                return bool(value)
            if not isinstance(value, bool):
                failure = failure or EvaluationError("no such overload")
        if failure:
            raise failure
        return not decisive

    return evaluate


def _conditional(test: Program, one: Program, other: Program) -> Program:
    def evaluate(scope: Scope) -> Any:
        chosen = test(scope)
        if not isinstance(chosen, bool):
            raise EvaluationError("no such overload")
        return one(scope) if chosen else other(scope)

    return evaluate


def _not_strictly_false(inner: Program) -> Program:
    def evaluate(scope: Scope) -> bool:
        return _held(inner, scope) is not False

    return evaluate


def _or(target: Program, other: Program, *, whole: bool) -> Program:
    """The methods or and orValue of optionals, which evaluate their argument only when they need it."""

    def evaluate(scope: Scope) -> Any:
        value = target(scope)
        if not isinstance(value, Optional):
            raise EvaluationError("no such overload")
        if value.present:
            return value if whole else value.value
        return other(scope)

    return evaluate


def _strict(call: Callable[..., Any], parts: list[Program]) -> Program:
    if len(parts) == 1:
        (only,) = parts
        return lambda scope: call(only(scope))
    if len(parts) == 2:
        one, other = parts
        return lambda scope: call(one(scope), other(scope))
    return lambda scope: call(*[item(scope) for item in parts])


def _optional(value: Any) -> Optional:
    if not isinstance(value, Optional):
        raise EvaluationError("cannot initialize optional list element from non-optional value")
    return value


def _key(value: Any) -> Any:
    if not operators.is_key(value):
        raise EvaluationError("unsupported key type")
    return value


def _iterate(whole: Any, *, pairs: bool) -> list[tuple[Any, Any]]:
    if isinstance(whole, Mapping):
        return list(whole.items())
    if isinstance(whole, list):
        return list(enumerate(whole)) if pairs else [(item, None) for item in whole]
    raise EvaluationError(f"got '{go_name(whole)}', expected iterable type")
