"""Regular expressions with the syntax of RE2."""

import re
from functools import lru_cache
from typing import Any

import re2

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError

# What RE2 says, and what Go's regexp says to the same.
_WORDINGS = {
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "trailing \\": "trailing backslash at end of expression",
}
_ESCAPES = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.", re.DOTALL)
# It stands for a byte in RE2, and for nothing in Go.
_BYTE = r"\C"
_DEEPEST = 1000


@lru_cache(maxsize=1024)
def matches(text: str, pattern: str) -> bool:
    """Whether the pattern is found in the text. Raises EvaluationError."""
    return _compiled(pattern).search(text) is not None


def check(pattern: str) -> None:
    """Raises EvaluationError for what is no pattern."""
    _compiled(pattern)


def find(text: str, pattern: str) -> str:
    """What the pattern finds first, "" for nothing. Raises EvaluationError."""
    match = _compiled(pattern).search(text)
    return str(match[0]) if match else ""


def find_all(text: str, pattern: str) -> list[str]:
    """All that the pattern finds; as in Go, nothing that is empty right behind a match. Raises EvaluationError."""
    found, end = [], -1
    for match in _compiled(pattern).finditer(text):
        if not match.start() == match.end() == end:
            found.append(str(match[0]))
        end = match.end()
    return found


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    if _BYTE in _ESCAPES.findall(pattern):
        raise EvaluationError(f"error parsing regexp: invalid escape sequence: `{_BYTE}`")
    if _nesting(pattern) > _DEEPEST:
        raise EvaluationError(f"error parsing regexp: expression nests too deeply: `{pattern}`")
    options = re2.Options()
    options.log_errors = False
    try:
        # RE2, as its time grows with the text only: Python's own would let one selector hold up everything.
        return re2.compile(pattern, options)
    except re2.error as error:
        what, _, where = error.args[0].decode().partition(": ")
        shown = _WORDINGS.get(what, what)
        raise EvaluationError(f"error parsing regexp: {shown}" + (f": `{where}`" if where else "")) from None


def _nesting(pattern: str) -> int:
    deepest = depth = 0
    for letter in _ESCAPES.sub("", pattern):
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    return deepest + 1
