"""Regular expressions with the syntax of RE2."""

from functools import cache, lru_cache
from typing import Any

import re2
from cel_expr_python import cel

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError


@cache
def _matcher() -> Any:
    # The library's own function, as it is RE2; it cannot say where a match is.
    text = cel.Type.STRING
    return cel.NewEnv(variables={"text": text, "pattern": text}).compile("text.matches(pattern)")


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


@lru_cache(maxsize=1024)
def matches(text: str, pattern: str) -> bool:
    """Whether the pattern is found in the text. Raises EvaluationError."""
    answer = _matcher().eval(data={"text": text, "pattern": pattern})
    if answer.type() != cel.Type.BOOL:
        what, _, where = str(answer.value()).rpartition("regular expression: ")[2].partition(": ")
        shown = _WORDINGS.get(what, what)
        raise EvaluationError(f"error parsing regexp: {shown}" + (f": `{where}`" if where else ""))
    return bool(answer.value())


def check(pattern: str) -> None:
    """Raises EvaluationError for what is no pattern."""
    matches("", pattern)


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
    check(pattern)
    # RE2 again, by itself, as its time grows with the text only: Python's would let one selector hold up everything.
    return re2.compile(pattern)
