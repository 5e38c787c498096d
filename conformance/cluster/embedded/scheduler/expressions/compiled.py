"""From text to a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.scheduler.expressions.check import check
from conformance.cluster.embedded.scheduler.expressions.cost import estimate
from conformance.cluster.embedded.scheduler.expressions.declarations import declarations
from conformance.cluster.embedded.scheduler.expressions.depth import room
from conformance.cluster.embedded.scheduler.expressions.errors import CompileError
from conformance.cluster.embedded.scheduler.expressions.evaluate import Program, program
from conformance.cluster.embedded.scheduler.expressions.literals import check_literals
from conformance.cluster.embedded.scheduler.expressions.parse import parse
from conformance.cluster.embedded.scheduler.expressions.planning import check_program
from conformance.cluster.embedded.scheduler.expressions.types import BOOL


@dataclass(frozen=True)
class Compiled:
    """A checked expression; `cost` is the most that evaluating it may cost."""

    cost: int
    _program: Program

    def evaluate(self, device: Mapping[str, Any]) -> Any:
        """The value for a device. Raises EvaluationError."""
        try:
            return self._program({"device": device})
        except RecursionError:
            with room():
                return self._program({"device": device})


def compile_expression(source: str, *, stored: bool) -> Compiled:
    """Compile a selector of an object that is written now, or that was stored before.

    Raises CompileError "compilation failed: …" and "must evaluate to bool …", ProgramError "program instantiation
    failed: …".
    """
    with room():
        return _compile(source, stored=stored)


def _compile(source: str, *, stored: bool) -> Compiled:
    declared = declarations(stored=stored)
    try:
        checked = check(source, parse(source), declared)
        check_literals(source, checked)
    except CompileError as error:
        raise CompileError(f"compilation failed: {error}") from None
    result = checked.types[checked.tree]
    if result not in (BOOL, declared.attribute):
        raise CompileError(f"must evaluate to bool or the unknown type, not {result.long_name}")
    check_program(checked)
    return Compiled(estimate(checked), program(checked))
