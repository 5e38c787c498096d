"""Text of drivers in reports: hostile until shown otherwise, so made storable, made visible and kept within bounds."""

import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from conformance.redact import redact, redact_text

MAX_CHARACTERS = 20_000
MAX_ITEMS = 1_000
MAX_DEPTH = 12
MAX_LINE = 100


def plain(value: Any) -> Any:
    """A copy of any value that can be written as JSON in UTF-8: secrets redacted, long texts and lists cut."""
    return redact(_plain(value, MAX_DEPTH))


def visible(text: str) -> str:
    """The text with control and direction-changing characters written out, so that it cannot steer a terminal,
    an XML parser or a reader's eye. Line feeds and tabs stay."""
    return "".join(c if _harmless(c) else _escape(c) for c in text)


def shown(value: Any) -> str:
    """A value of a finding as people read it: JSON, except that text of several lines stays as it is."""
    if isinstance(value, str) and "\n" in value.strip():
        return visible(value.strip("\n"))
    return visible(laid_out(value))


def laid_out(value: Any, indent: int = 0, used: int = 0) -> str:
    """A JSON value over few lines: what fits into one of 100 characters is on one, of which `used` are another's."""
    text = json.dumps(value, ensure_ascii=False)
    if indent + used + len(text) <= MAX_LINE or not isinstance(value, dict | list):
        return text
    inner, outer = " " * (indent + 2), " " * indent
    if isinstance(value, list):
        items = [laid_out(item, indent + 2) for item in value]
    else:
        names = {key: json.dumps(str(key), ensure_ascii=False) for key in value}
        items = [f"{names[key]}: {laid_out(item, indent + 2, len(names[key]) + 2)}" for key, item in value.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return f"{first}\n{inner}" + f",\n{inner}".join(items) + f"\n{outer}{last}"


def duration(seconds: float) -> str:
    """A length of time as people read it: 340 ms, 12.4 s, 3 min 05 s."""
    if seconds < 0.9995:
        return f"{max(seconds, 0) * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def amount(number: int, noun: str, many: str = "") -> str:
    """A number with its noun: 1 check, 3 checks; `many` where that takes no s."""
    return f"{number} {noun}" if number == 1 else f"{number} {many or f'{noun}s'}"


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _storable(value)
    if isinstance(value, bytes | bytearray):
        return _storable(bytes(value).decode("utf-8", "backslashreplace"))
    if depth == 0:
        return _storable(repr(value))
    if is_dataclass(value) and not isinstance(value, type):
        return _pairs({f.name: getattr(value, f.name) for f in fields(value)}, depth)
    if isinstance(value, Mapping):
        return _pairs(value, depth)
    if isinstance(value, list | tuple):
        return _items(value, depth)
    if isinstance(value, Set):
        return _items(sorted(value, key=repr), depth)
    return _storable(repr(value))


def _pairs(value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    return {_storable(str(key)): _plain(item, depth - 1) for key, item in value.items()}


def _items(value: Iterable[Any], depth: int) -> list[Any]:
    items = list(value)
    kept = items if len(items) <= MAX_ITEMS else [*items[: MAX_ITEMS - 1], f"… {len(items) - MAX_ITEMS + 1} more"]
    return [_plain(item, depth - 1) for item in kept]


def _storable(text: str) -> str:
    # A lone surrogate stands for a byte that was not UTF-8; JSON in UTF-8 cannot hold it.
    text = redact_text(text.encode("utf-8", "backslashreplace").decode("utf-8"))
    if len(text) <= MAX_CHARACTERS:
        return text
    kept = MAX_CHARACTERS - 100
    return f"{text[:kept]}… ({len(text) - kept} more characters)"


def _harmless(character: str) -> bool:
    return character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Cn")


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
