"""CEL as Kubernetes has it: its grammar, declarations, type checks, cost estimates and functions.

Google's library for Python can be told neither of Kubernetes' object types nor of the limits of sizes, estimates no
costs and nests less deeply: parser, checker, cost and interpreter are ours, after cel-go v0.29 and apiserver/pkg/cel.
It words syntax errors, in which it is like cel-go. Not taken are literals of protobuf messages, which Kubernetes takes.
Costs are not counted while an expression is evaluated: the API server takes none whose estimate is past the limit.
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
