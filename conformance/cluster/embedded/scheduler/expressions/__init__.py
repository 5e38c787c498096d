"""CEL as Kubernetes has it: its declarations, type checks and cost estimates, on the parser of cel-expr-python.

Google's library for Python parses, with the grammar and the error texts of the one that Kubernetes uses. It can be
told neither of Kubernetes' object types nor of the limits of sizes, and estimates no costs: checker, cost and
interpreter are ours, after cel-go v0.29 and apiserver/pkg/cel. Costs are not counted while an expression is evaluated:
the API server takes none whose estimate is past the limit.
"""

from conformance.cluster.embedded.scheduler.expressions.compiled import Compiled, compile_expression
from conformance.cluster.embedded.scheduler.expressions.device import device_value
from conformance.cluster.embedded.scheduler.expressions.errors import CompileError, EvaluationError, ProgramError
from conformance.cluster.embedded.scheduler.expressions.values import type_name

__all__ = [
    "CompileError",
    "Compiled",
    "EvaluationError",
    "ProgramError",
    "compile_expression",
    "device_value",
    "type_name",
]
