"""The values of literals (cel-go's parser/unescape.go and strconv)."""

import math
import re

from conformance.cluster.embedded.scheduler.expressions.values import MAX_INT, MAX_UINT, MIN_INT, UInt

_ESCAPE = re.compile(r"\\(?:([xX][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|([0-3][0-7]{2})|(.))", re.DOTALL)
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SURROGATES = range(0xD800, 0xE000)
_LAST_CODE_POINT = 0x10FFFF
_LONGEST = 25


class LiteralError(ValueError):
    """A literal that stands for no value."""


def integer(text: str) -> int:
    """An int, with or without a minus sign. Raises LiteralError."""
    value = _number(text)
    if not MIN_INT <= value <= MAX_INT:
        raise LiteralError("invalid int literal")
    return value


def unsigned(text: str) -> UInt:
    """A uint, without its suffix. Raises LiteralError."""
    value = _number(text)
    if value > MAX_UINT:
        raise LiteralError("invalid uint literal")
    return UInt(value)


def double(text: str) -> float:
    """A double. Raises LiteralError."""
    value = float(text)
    if math.isinf(value):
        raise LiteralError("invalid double literal")
    return value


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    # Python refuses thousands of digits, so that no more than matter are read.
    plain = digits.lstrip("0")[:_LONGEST] or "0"
    value = int(digits, 16) if digits.startswith("0x") else int(plain)
    return -value if text.startswith("-") else value


def string(text: str) -> str:
    """A string with its quotes. Raises LiteralError."""
    body, raw = _body(text)
    if raw:
        return body
    return _ESCAPE.sub(lambda found: _letter(found), body)


def octets(text: str) -> bytes:
    """Bytes, without the letter that marks them. Raises LiteralError."""
    body, raw = _body(text)
    if raw:
        return body.encode()
    parts, position = [], 0
    for found in _ESCAPE.finditer(body):
        parts += [body[position : found.start()].encode(), _octet(found)]
        position = found.end()
    return b"".join([*parts, body[position:].encode()])


def _body(text: str) -> tuple[str, bool]:
    """What is between the quotes, and whether backslashes in it are just that."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    text = text[raw:]
    quotes = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    return text[quotes:-quotes], raw


def _letter(found: re.Match[str]) -> str:
    if found[3]:
        return _LETTERS.get(found[3], found[3])
    code = int(found[1][1:], 16) if found[1] else int(found[2], 8)
    if code in _SURROGATES or code > _LAST_CODE_POINT:
        raise LiteralError("invalid unicode code point")
    return chr(code)


def _octet(found: re.Match[str]) -> bytes:
    if found[3]:
        return _letter(found).encode()
    if found[1] and found[1][0] in "uU":
        raise LiteralError("unable to unescape string")
    return bytes([int(found[1][1:], 16) if found[1] else int(found[2], 8)])
