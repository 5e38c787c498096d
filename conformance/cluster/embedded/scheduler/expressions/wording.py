"""Syntax errors in the words that Kubernetes has for them.

They come out of ANTLR's ways to go on after an error, which cel-go shares with cel-expr-python.
"""

import re
from functools import cache
from typing import Any

from cel_expr_python import cel
from cel_expr_python.ext.ext_bindings import ExtBindings
from cel_expr_python.ext.ext_optional import ExtOptional

# How cel-go words what the library words otherwise.
_WORDINGS = (
    (re.compile(r"\w+\(\) variable name must be a simple identifier"), "argument must be a simple name"),
    (
        re.compile(r"no viable alternative at input '\.(true|false|null)'"),
        r"mismatched input '\1' expecting IDENTIFIER",
    ),
    (re.compile(r"'\\u003F'"), "'?'"),
    (re.compile(r"\nERROR: <input>:4294967295:0: <<nil>> parsetree"), ""),
    (re.compile("invalid hex int literal"), "invalid int literal"),
    (re.compile("invalid hex uint literal"), "invalid uint literal"),
    # What follows `r'` ends at the next quote in Kubernetes.
    (re.compile(r"ERROR: <input>:\d+:\d+: Invalid (?:string|bytes) literal: .*\n.*\n.*(?:\n|$)"), ""),
    (re.compile(r"has\(\) argument must be a field selection"), "invalid argument to has() macro"),
)
# The library shows line ends in what it cannot read as escapes.
_TOKEN = re.compile(r"token recognition error at: .*")
_STATUS = re.compile(r"^[A-Z_]+: | \[[A-Z_]+\]$")


@cache
def _environment() -> Any:
    return cel.NewEnv(extensions=[ExtOptional(), ExtBindings()])


def syntax_errors(source: str) -> str:
    """What is wrong with the syntax of a text, "" where the library has another opinion."""
    try:
        _environment().compile(source, disable_check=True)
    except RuntimeError as error:
        text = _worded(source, _STATUS.sub("", str(error)))
        return text if "Syntax error: " in text else ""
    return ""


def _worded(source: str, text: str) -> str:
    if not source:
        text = text.replace("<input>:1:1:", "<input>:1:0:")
    text = _TOKEN.sub(lambda found: found[0].replace("\\n", "\n").replace("\\t", "\t"), text)
    for pattern, words in _WORDINGS:
        text = pattern.sub(words, text)
    return text
