"""Regular expressions with the syntax of RE2."""

import re
from functools import cache, lru_cache
from typing import Any

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


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """For finding. Raises EvaluationError."""
    check(pattern)
    try:
        return re.compile(pattern, re.ASCII)
    except re.error as error:
        raise EvaluationError(f"Illegal regex: {error}") from None
