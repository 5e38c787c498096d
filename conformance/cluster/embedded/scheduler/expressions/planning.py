"""What Kubernetes already does when it makes a program of an expression: it converts constants and reads patterns.

Source: cel-go's interpreter/decorators.go, interpreter/planner.go and OptimizeRegex of cel/program.go.
"""

from typing import Any

from conformance.cluster.embedded.scheduler.expressions import regex
from conformance.cluster.embedded.scheduler.expressions.check import Checked
from conformance.cluster.embedded.scheduler.expressions.declarations import DEVICE
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError, ProgramError
from conformance.cluster.embedded.scheduler.expressions.evaluate import part
from conformance.cluster.embedded.scheduler.expressions.operators import check_key
from conformance.cluster.embedded.scheduler.expressions.tree import Call, ListOf, Literal, MapOf, Node, Select
from conformance.cluster.embedded.scheduler.expressions.types import type_of

_CONVERSIONS = ("bool", "bytes", "double", "dyn", "duration", "int", "string", "timestamp", "type", "uint")
_PATTERNS = {"find": 0, "findAll": 0, "matches": 0}


def check_program(checked: Checked) -> None:
    """Raises ProgramError "program instantiation failed: …"."""
    try:
        _Constants(checked).constant(checked.tree)
    except EvaluationError as error:
        raise ProgramError(f"program instantiation failed: {error}") from None


class _Constants:
    def __init__(self, checked: Checked) -> None:
        self._checked = checked

    def constant(self, node: Node) -> bool:
        """Whether the node is a constant or becomes one. Raises EvaluationError for one that has no value."""
        if isinstance(node, Select) and node.operand not in self._checked.types:
            if self._checked.types[node] == type_of(DEVICE):
                raise EvaluationError(f"reference to undefined type: {DEVICE.name}")
            return False
        constants = [self.constant(child) for child in node.children()]
        if isinstance(node, Literal):
            return True
        if isinstance(node, ListOf):
            return all(constants) and not node.optional
        if isinstance(node, MapOf):
            return all(constants) and not any(entry.optional for entry in node.entries)
        if not isinstance(node, Call):
            return False
        if node.function in _CONVERSIONS and constants == [True] and node.target is None:
            self._value(node)
            return True
        if node.function in ("_[_]", "_[?_]") and constants[1]:
            check_key(self._value(node.args[1]))
        self._pattern(node)
        return False

    def _value(self, node: Node) -> Any:
        return part(self._checked, node)({})

    def _pattern(self, node: Call) -> None:
        if node.function not in _PATTERNS:
            return
        args = node.args if node.target is not None else node.args[1:]
        if args and isinstance(args[0], Literal):
            regex.check(str(args[0].value))
