"""Functions of strings: cel-go's ext.Strings and Kubernetes' regular expressions."""

import re
from collections.abc import Callable
from typing import Any

from conformance.cluster.embedded.scheduler.expressions import regex, stringformat
from conformance.cluster.embedded.scheduler.expressions.conversions import to_string
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError, quote
from conformance.cluster.embedded.scheduler.expressions.values import Duration, Timestamp, type_name

_ESCAPES = {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v"}
_ESCAPES |= {"\\": "\\\\", '"': '\\"'}
# What Go's golang.org/x/text takes as a precision, and how many of them it tells apart. It has none in `%e`, where it
# takes the number for a width.
_MAX_PRECISION, _PRECISIONS = 1_000_000, 256
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+")
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_SPACE += "\u2028\u2029\u202f\u205f\u3000"


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def _index(text: str, wanted: str, start: int = 0) -> int:
    if start < 0:
        raise _out_of_range(start)
    if not wanted:
        return min(start, len(text))
    return text.find(wanted, start) if start < len(text) else -1


def _last_index(text: str, wanted: str) -> int:
    return text.rfind(wanted)


def _last_index_before(text: str, wanted: str, start: int) -> int:
    if start < 0:
        raise _out_of_range(start)
    if not wanted:
        return min(start, len(text))
    return -1 if start >= len(text) else text.rfind(wanted, 0, start + len(wanted))


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    return text.replace(old, new, count if count >= 0 else -1)


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    if not count:
        return []
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    letters = list(text)
    return [*letters[: count - 1], "".join(letters[count - 1 :])] if 0 < count < len(letters) else letters


def _substring(text: str, start: int, end: int | None = None) -> str:
    if end is not None and start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, len(text) if end is None else end):
        if not 0 <= index <= len(text):
            raise _out_of_range(index)
    return text[start:end]


def _join(items: list[Any], separator: str = "") -> str:
    for item in items:
        if not isinstance(item, str):
            raise EvaluationError(f"join: invalid input: {item}")
    return separator.join(items)


def _ascii(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: re.sub(r"[A-Za-z]+", lambda match: change(match[0]), text)


def _quote(text: str) -> str:
    return f'"{"".join(_ESCAPES.get(letter, letter) for letter in text)}"'


def _find(text: str, pattern: str) -> str:
    return regex.find(text, pattern)


def _find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    found = regex.find_all(text, pattern)
    return found if limit < 0 else found[:limit]


def _matches(text: str, pattern: str) -> bool:
    return regex.matches(text, pattern)


def _format(text: str, arguments: list[Any]) -> str:
    def show(index: int, clause: str, precision: int) -> str:
        try:
            return _show(arguments[index], clause, precision)
        except EvaluationError as error:
            raise EvaluationError(f"error during formatting: {error}") from None

    return stringformat.render(text, len(arguments), show)


def _show(value: Any, clause: str, precision: int) -> str:
    kind = type_name(value)
    short = {"google.protobuf.Timestamp": "timestamp", "google.protobuf.Duration": "duration", "null_type": "null"}
    special = isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity")
    if short.get(kind, kind) not in stringformat.TAKES[clause.lower()] or (
        clause in "fe" and isinstance(value, str) and not special
    ):
        raise EvaluationError(stringformat.wrong_type(clause, kind))
    match clause:
        case "s":
            return _plain(value)
        case "d":
            return str(value)
        case "f" | "e":
            return _double(float(value), clause, precision)
        case "b":
            return format(int(value), "b")
        case "o":
            return format(value, "o")
        case _:
            return _hexadecimal(value, clause)


def _double(number: float, clause: str, precision: int) -> str:
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "∞" if number > 0 else "-∞"
    if precision // 10 > _MAX_PRECISION:
        return "%!(NOVERB)"
    if clause == "e":
        mantissa, _, exponent = format(number or 0.0, ".6e").partition("e")
        return f"{mantissa}×10{exponent.translate(_SUPERSCRIPTS)}".rjust(precision)
    return format(number or 0.0, f",.{6 if precision < 0 else precision % _PRECISIONS}f")


def _hexadecimal(value: Any, clause: str) -> str:
    shown = format(value, "x") if isinstance(value, int) else _bytes(value).hex()
    return shown.upper() if clause == "X" else shown


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, value))}]"
    if isinstance(value, dict):
        rows = sorted((_shown_key(key), _nested(item)) for key, item in value.items())
        return "{" + ", ".join(f"{key}:{item}" for key, item in rows) + "}"
    if value is None:
        return "null"
    try:
        return to_string(value)
    except EvaluationError as error:
        raise EvaluationError(f'could not convert argument "{error}" to string') from None


def _shown_key(key: Any) -> str:
    if isinstance(key, float):
        raise EvaluationError("no formatting function for map key of type double")
    return _nested(key)


def _nested(value: Any) -> str:
    """A value in a list or map, as a literal."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bytes):
        return f"b{quote(_plain(value))}"
    if isinstance(value, float):
        return format(value, ".6f")
    if isinstance(value, Timestamp | Duration):
        name = "timestamp" if isinstance(value, Timestamp) else "duration"
        return f'{name}("{to_string(value)}")'
    if type_name(value) not in ("int", "uint", "bool", "null_type", "type", "list", "map"):
        raise EvaluationError(f"no formatting function for {type_name(value)}")
    return _plain(value)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "string_char_at_int": _char_at,
    "string_index_of_string": _index,
    "string_index_of_string_int": _index,
    "string_last_index_of_string": _last_index,
    "string_last_index_of_string_int": _last_index_before,
    "string_lower_ascii": _ascii(str.lower),
    "string_upper_ascii": _ascii(str.upper),
    "string_replace_string_string": _replace,
    "string_replace_string_string_int": _replace,
    "string_split_string": _split,
    "string_split_string_int": _split,
    "string_substring_int": _substring,
    "string_substring_int_int": _substring,
    "string_trim": lambda text: text.strip(_SPACE),
    "string_format": _format,
    "strings_quote": _quote,
    "list_join": _join,
    "list_join_string": _join,
    "contains_string": lambda text, part: part in text,
    "starts_with_string": lambda text, part: text.startswith(part),
    "ends_with_string": lambda text, part: text.endswith(part),
    "matches": _matches,
    "matches_string": _matches,
    "string_find_string": _find,
    "string_find_all_string": _find_all,
    "string_find_all_string_int": _find_all,
}
