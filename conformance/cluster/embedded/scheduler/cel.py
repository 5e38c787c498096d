"""CEL selectors of device classes and requests, with Google's CEL engine.

    selector = cel.compile('device.attributes["gpu.example.com"].model == "A100"')
    selector.matches(DeviceView.of("gpu.example.com", device))

Source: dynamic-resource-allocation/cel/compile.go.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from cel_expr_python import cel
from cel_expr_python.ext.ext_bindings import ExtBindings
from cel_expr_python.ext.ext_optional import ExtOptional
from cel_expr_python.ext.ext_strings import ExtStrings

from conformance.cluster.embedded.scheduler import cellibrary
from conformance.cluster.embedded.scheduler.celtypes import POOL
from conformance.cluster.embedded.scheduler.celview import CelError, DeviceView

__all__ = ["MAX_BYTES", "CelError", "DeviceView", "Selector", "compile"]

MAX_BYTES = 10 * 1024
_HINT = (
    "consider using CEL optional chaining (.? followed by orValue()) "
    "or guarding the check with has() for optional fields"
)
_MISSING_KEY = re.compile(r'Key not found in map : "(?P<key>.*)"', re.DOTALL)
# How cel-go words what the engine words otherwise.
_RUNTIME_WORDINGS = (
    (re.compile(r"No matching overloads found : (_.*|!.*|.*\[.*)", re.DOTALL), "no such overload"),
    (re.compile(r"No matching overloads found : \((.*?)\)\.(\w+)\(\)"), r"no such overload: \2(\1)"),
    (re.compile(r"No matching overloads found : \((.*?)\)\.(\w+)\((.*)\)"), r"no such overload: \2(\1, \3)"),
    (re.compile(r"No matching overloads found : "), "no such overload: "),
    (re.compile(r"\bint64\b"), "int"),
    (re.compile(r"divide by zero"), "division by zero"),
)
_COMPILE_WORDINGS = (
    (re.compile(r"undeclared reference to 'device\.(\w+)' \(in container ''\)"), r"undefined field '\1'"),
)
_CONVERSIONS = {"string": "unsupported native conversion from string to 'bool'"}
_STATUS_PREFIX = re.compile(r"^[A-Z_]+: ")
_STATUS_SUFFIX = re.compile(r" \[[A-Z_]+\]$")


@cache
def _environment() -> Any:
    kind = cel.Type
    by_domain = {name: kind.Map(kind.STRING, kind.Map(kind.STRING, leaf)) for name, leaf in _leaves(kind).items()}
    return cel.NewEnv(
        descriptor_pool=POOL,
        variables={
            "device.driver": kind.STRING,
            "device.allowMultipleAllocations": kind.BOOL,
            **by_domain,
        },
        extensions=[ExtOptional(), ExtStrings(2), ExtBindings()],
        functions=cellibrary.functions(),
    )


def _leaves(kind: Any) -> dict[str, Any]:
    return {"device.attributes": kind.DYN, "device.capacity": cellibrary.Q}


@dataclass(frozen=True)
class Selector:
    """A compiled expression."""

    expression: str
    _program: Any

    def matches(self, device: DeviceView) -> bool:
        """Whether the device is selected. Raises CelError "CEL runtime error: …" when that cannot be told."""
        empty: dict[str, dict[str, Any]] = {}
        while True:
            value = self._evaluate(device.variables(empty))
            if value.type() != cel.Type.ERROR:
                return _boolean(value)
            missing = _MISSING_KEY.search(value.value())
            if not missing or missing["key"] in empty:
                raise CelError(f"CEL runtime error: {_runtime_text(value.value(), missing)}")
            # Kubernetes answers a domain that nothing is in with an empty map: try again as if it were so.
            empty[missing["key"]] = {}

    def _evaluate(self, variables: dict[str, Any]) -> Any:
        try:
            return self._program.eval(data=variables)
        except RuntimeError as error:
            # A value that the engine cannot take from a function.
            raise CelError(f"CEL runtime error: {_worded(str(error), _RUNTIME_WORDINGS)}") from None


@lru_cache(maxsize=1024)
def compile(expression: str) -> Selector:
    """Compile a selector; cached.

    Raises CelError for an expression that is too long, does not compile ("compilation failed: …") or does not
    result in a boolean ("must evaluate to bool or the unknown type, not …").
    """
    if len(expression.encode()) > MAX_BYTES:
        raise CelError(f"may not be more than {MAX_BYTES} bytes")
    environment = _environment()
    try:
        program = environment.compile(expression)
    except RuntimeError as error:
        raise CelError(f"compilation failed: {_worded(str(error), _COMPILE_WORDINGS)}") from None
    result = program.return_type()
    if result not in (cel.Type.BOOL, cel.Type.DYN):
        raise CelError(f"must evaluate to bool or the unknown type, not {result.name().lower()}")
    return Selector(expression, program)


def _boolean(value: Any) -> bool:
    result = value.value()
    if not isinstance(result, bool):
        name = value.type().name().lower()
        why = _CONVERSIONS.get(name, f"unsupported type conversion from '{name}' to bool")
        raise CelError(f"CEL runtime error: CEL result of type {name} could not be converted to bool: {why}")
    return result


def _worded(text: str, wordings: Sequence[tuple[re.Pattern[str], str]]) -> str:
    text = _STATUS_SUFFIX.sub("", _STATUS_PREFIX.sub("", text))
    for pattern, words in wordings:
        text = pattern.sub(words, text)
    return text


def _runtime_text(text: str, missing: re.Match[str] | None) -> str:
    if missing:
        return f"no such key: {missing['key']}. {_HINT}"
    return _worded(text, _RUNTIME_WORDINGS)
