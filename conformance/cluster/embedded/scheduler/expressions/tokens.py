"""From text to tokens (the lexer's rules of cel-go's parser/gen/CEL.g4)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from conformance.cluster.embedded.scheduler.expressions.errors import Issue

_ESCAPE = r"\\(?:[abfnrtv\"'\\?`]|[0-3][0-7][0-7]|[xX][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})"
_STRING = (
    r"(?:[rR](?:\"\"\"(?s:.*?)\"\"\"|'''(?s:.*?)'''|\"[^\"\n\r]*\"|'[^'\n\r]*')"
    rf"|\"\"\"(?:{_ESCAPE}|[^\\])*?\"\"\"|'''(?:{_ESCAPE}|[^\\])*?'''"
    rf"|\"(?:{_ESCAPE}|[^\\\"\n\r])*\"|'(?:{_ESCAPE}|[^\\'\n\r])*')"
)
# Where two fit, the first one is the longer one.
_RULES = (
    ("space", r"(?:[\t \r\n\f]+|//[^\n]*)+"),
    ("bytes", f"[bB]{_STRING}"),
    ("string", _STRING),
    ("double", r"\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?"),
    ("uint", r"0x[0-9A-Fa-f]+[uU]|\d+[uU]"),
    ("int", r"0x[0-9A-Fa-f]+|\d+"),
    ("name", r"[A-Za-z_][A-Za-z0-9_]*"),
    ("quoted", r"`[A-Za-z0-9_.\-/ ]+`"),
    ("sign", r"==|!=|<=|>=|&&|\|\||[<>\[\]{}().,\-!?:+*/%]"),
)
_TOKEN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _RULES), re.ASCII)
_KEYWORDS = ("in", "true", "false", "null")


class SyntaxFault(Exception):
    """A text that the grammar does not have."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__(text)
        self.issue = Issue(offset, f"Syntax error: {text}")


class Token(NamedTuple):
    """kind: that of the rule for names, texts and numbers; "end" at the end; for all else the text itself."""

    kind: str
    text: str
    offset: int


def tokens(source: str) -> Iterator[Token]:
    """All tokens, with one for the end. Raises SyntaxFault."""
    position = 0
    while position < len(source):
        found = _TOKEN.match(source, position)
        if found is None:
            raise SyntaxFault(position, f"token recognition error at: '{source[position]}'")
        kind, text = str(found.lastgroup), found[0]
        if kind != "space":
            yield Token(text if kind == "sign" or text in _KEYWORDS else kind, text, position)
        position = found.end()
    yield Token("end", "<EOF>", position)
