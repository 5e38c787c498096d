"""CEL selectors of device classes and requests.

    selector = cel.compile('device.attributes["gpu.example.com"].model == "A100"')
    selector.matches(DeviceView.of("gpu.example.com", device))

Source: dynamic-resource-allocation/cel/compile.go.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from conformance.cluster.embedded.scheduler.celview import CelError, DeviceView
from conformance.cluster.embedded.scheduler.expressions import (
    Compiled,
    CompileError,
    EvaluationError,
    ProgramError,
    compile_expression,
    type_name,
)

__all__ = ["MAX_BYTES", "CelError", "CostError", "DeviceView", "InternalError", "Selector", "check", "compile"]

MAX_BYTES = 10 * 1024
_MAX_COST = 1_000_000
_HINT = (
    "consider using CEL optional chaining (.? followed by orValue()) "
    "or guarding the check with has() for optional fields"
)
_CONVERSIONS = {
    "string": "unsupported native conversion from string to 'bool'",
    "list": "type conversion error from list to 'bool'",
    "map": "type conversion error from map to 'bool'",
    "bytes": "type conversion error from Bytes to 'bool'",
    **{
        f"{package}.{name}": f"type conversion error from '{name}' to 'bool'"
        for package, name in (
            *(("kubernetes", "Semver"), ("kubernetes", "Quantity"), ("kubernetes", "URL")),
            *(("google.protobuf", "Duration"), ("google.protobuf", "Timestamp"), ("net", "IP"), ("net", "CIDR")),
        )
    },
}


class CostError(CelError):
    """An expression that may cost too much to evaluate."""


class InternalError(CelError):
    """An expression that compiles, but that no program can be made of."""


@dataclass(frozen=True)
class Selector:
    """A compiled expression."""

    expression: str
    _compiled: Compiled

    def matches(self, device: DeviceView) -> bool:
        """Whether the device is selected. Raises CelError "CEL runtime error: …" when that cannot be told."""
        try:
            result = self._compiled.evaluate(device.value)
        except EvaluationError as error:
            text = str(error)
            raise CelError(f"CEL runtime error: {text}{f'. {_HINT}' if 'no such key: ' in text else ''}") from None
        except Exception as error:
            # What nobody thought of is the expression's fault, too, as it is to cel-go, which recovers from panics.
            raise CelError(f"CEL runtime error: internal error: {_shown(error)}") from error
        return _boolean(result)


@lru_cache(maxsize=1024)
def compile(expression: str) -> Selector:
    """Compile a selector as the scheduler does, which takes what any version of the API server took; cached.

    Raises CelError for an expression that is too long, does not compile ("compilation failed: …") or does not
    result in a boolean ("must evaluate to bool or the unknown type, not …").
    """
    return Selector(expression, _compiled(expression, stored=True))


@lru_cache(maxsize=1024)
def check(expression: str) -> None:
    """Compile a selector as the API server does with one that is new.

    Raises CelError as `compile` does, CostError, InternalError.
    """
    if _compiled(expression, stored=False).cost > _MAX_COST:
        raise CostError("too complex, exceeds cost limit")


def _compiled(expression: str, *, stored: bool) -> Compiled:
    if len(expression.encode()) > MAX_BYTES:
        raise CelError(f"may not be more than {MAX_BYTES} bytes")
    try:
        return compile_expression(expression, stored=stored)
    except ProgramError as error:
        raise InternalError(str(error)) from None
    except CompileError as error:
        raise CelError(str(error)) from None
    except Exception as error:
        raise CelError(f"compilation failed: internal error: {_shown(error)}") from error


def _shown(error: Exception) -> str:
    return str(error) or type(error).__name__


def _boolean(result: Any) -> bool:
    if not isinstance(result, bool):
        name = type_name(result)
        why = _CONVERSIONS.get(name, f"unsupported type conversion from '{name}' to bool")
        raise CelError(f"CEL runtime error: CEL result of type {name} could not be converted to bool: {why}")
    return result
