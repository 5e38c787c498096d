"""Conversions of types, and parts of times (cel-go's common/types and stdlib)."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from conformance.cluster.embedded.scheduler.expressions import times
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.values import (
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    Duration,
    Timestamp,
    TypeName,
    UInt,
    integer,
    type_name,
    unsigned,
)

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NATURAL = re.compile(r"[0-9]+")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:inf|infinity)|nan", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p[+-]?[0-9]+", re.IGNORECASE)
# Between digits, and behind 0x.
_UNDERSCORE = re.compile("(?<=[0-9])_(?=[0-9])")
_HEXADECIMAL_UNDERSCORE = re.compile("(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])")
# From this power of ten on, numbers are shown with an exponent.
_LARGE = 6
_TRUE, _FALSE = ("1", "t", "T", "TRUE", "true", "True"), ("0", "f", "F", "FALSE", "false", "False")
_CYCLE = 146_097 * 24 * 3600
_EARLY, _LATE = (int(datetime(year, 6, 1, tzinfo=UTC).timestamp()) for year in (1, 9999))
_LONGEST_OFFSET = 20
_OFFSET = re.compile(r"([+-]?\d+):([+-]?\d+)", re.ASCII)


def _no_conversion(kind: str) -> EvaluationError:
    return EvaluationError(f"type conversion error from 'string' to '{kind}'")


def _whole_number(text: str) -> int:
    """An integer as far as its range matters: no more than 21 digits are read, Python refuses thousands of them."""
    number = int(text.lstrip("+-0")[:21] or 0)
    return -number if text.startswith("-") else number


def _string_to_int(text: str) -> int:
    if not _INTEGER.fullmatch(text) or not MIN_INT <= _whole_number(text) <= MAX_INT:
        raise _no_conversion("int")
    return _whole_number(text)


def _string_to_uint(text: str) -> UInt:
    if not _NATURAL.fullmatch(text) or _whole_number(text) > MAX_UINT:
        raise _no_conversion("uint")
    return UInt(_whole_number(text))


def _string_to_double(text: str) -> float:
    hexadecimal = _HEXADECIMAL_UNDERSCORE.sub("", text)
    decimal = _UNDERSCORE.sub("", text)
    try:
        if _HEXADECIMAL.fullmatch(hexadecimal):
            return float.fromhex(hexadecimal)
        value = float(decimal) if _DOUBLE.fullmatch(decimal) else None
    except OverflowError:
        value = None
    if value is None or (math.isinf(value) and any(letter.isdigit() for letter in decimal)):
        raise _no_conversion("double")
    return value


def _string_to_bool(text: str) -> bool:
    if text not in (*_TRUE, *_FALSE):
        raise _no_conversion("bool")
    return text in _TRUE


def _double_to_int(number: float) -> int:
    if math.isnan(number) or not MIN_INT < number < MAX_INT:
        raise EvaluationError("integer overflow")
    return int(number)


def _double_to_uint(number: float) -> UInt:
    if math.isnan(number) or not 0 <= number < MAX_UINT:
        raise EvaluationError("unsigned integer overflow")
    return UInt(int(number))


def _bytes_to_string(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


def _double_to_string(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    exponent = Decimal(repr(number)).adjusted() if number else 0
    if -4 <= exponent < _LARGE:
        return f"{number:.0f}" if number == int(number) else repr(number)
    mantissa, _, power = f"{Decimal(repr(number)).normalize():e}".partition("e")
    return f"{mantissa}e{int(power):+03d}"


def to_string(value: Any) -> str:
    """string(value)."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return _double_to_string(value)
        case bytes():
            return _bytes_to_string(value)
        case Timestamp():
            return times.show_timestamp(value)
        case Duration():
            return times.show_duration(value)
        case TypeName():
            return value.name
        case _:
            return str(value)


def _same(value: Any) -> Any:
    return value


def _zone(name: str) -> Any:
    try:
        return ZoneInfo(name) if name not in ("", "Local") else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise EvaluationError(f"unknown time zone {name}") from None


def _local(seconds: int, zone: str) -> datetime:
    offset = _OFFSET.fullmatch(zone)
    if offset is None:
        return datetime.fromtimestamp(seconds, _zone(zone))
    # Added here, as Python has no zones of a day and more.
    hours, minutes = (int(part[:_LONGEST_OFFSET]) for part in offset.groups())
    return datetime.fromtimestamp(seconds + hours * 3600 + (-minutes if zone.startswith("-") else minutes) * 60, UTC)


def _year(day: datetime) -> int:
    return day.year


def _day_part(read: Callable[[datetime], int]) -> Callable[..., int]:
    def part(moment: Timestamp, zone: str = "UTC") -> int:
        seconds = moment.nanoseconds // times.SECOND
        # At the ends of time, where a zone leads out of what Python has: the same day, 400 years on or back.
        years = -400 if seconds > _LATE else 400 if seconds < _EARLY else 0
        return read(_local(seconds + years // 400 * _CYCLE, zone)) - (years if read is _year else 0)

    return part


def _milliseconds(moment: Timestamp, _: str = "UTC") -> int:
    return moment.nanoseconds % times.SECOND // 10**6


def _whole(unit: int) -> Callable[[Duration], int]:
    return lambda value: int(math.copysign(abs(value.nanoseconds) // unit, value.nanoseconds))


def _span_milliseconds(value: Duration) -> int:
    return int(math.copysign(abs(value.nanoseconds) // 10**6, value.nanoseconds))


_DAY_PARTS: dict[str, Callable[[datetime], int]] = {
    "year": _year,
    "month": lambda day: day.month - 1,
    "day_of_year": lambda day: day.timetuple().tm_yday - 1,
    "day_of_month": lambda day: day.day - 1,
    "day_of_month_1_based": lambda day: day.day,
    "day_of_week": lambda day: day.isoweekday() % 7,
    "hours": lambda day: day.hour,
    "minutes": lambda day: day.minute,
    "seconds": lambda day: day.second,
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("bool_to_bool", "bytes_to_bytes", "double_to_double", "duration_to_duration"), _same),
    **dict.fromkeys(("int64_to_int64", "string_to_string", "timestamp_to_timestamp", "uint64_to_uint64"), _same),
    "to_dyn": _same,
    "type": lambda value: TypeName(type_name(value)),
    "string_to_bool": _string_to_bool,
    "string_to_bytes": lambda text: text.encode(),
    "int64_to_double": float,
    "string_to_double": _string_to_double,
    "uint64_to_double": float,
    "string_to_duration": times.duration,
    "double_to_int64": _double_to_int,
    "duration_to_int64": lambda value: value.nanoseconds,
    "string_to_int64": _string_to_int,
    "timestamp_to_int64": lambda value: value.nanoseconds // times.SECOND,
    "uint64_to_int64": lambda value: integer(int(value)),
    **{f"{name}_to_string": to_string for name in ("bool", "bytes", "double", "duration")},
    **{f"{name}_to_string": to_string for name in ("int64", "timestamp", "uint64")},
    "int64_to_timestamp": times.from_seconds,
    "string_to_timestamp": times.timestamp,
    "double_to_uint64": _double_to_uint,
    "int64_to_uint64": unsigned,
    "string_to_uint64": _string_to_uint,
    **{f"timestamp_to_{name}": _day_part(read) for name, read in _DAY_PARTS.items()},
    **{f"timestamp_to_{name}_with_tz": _day_part(read) for name, read in _DAY_PARTS.items()},
    "timestamp_to_seconds_tz": _day_part(_DAY_PARTS["seconds"]),
    "timestamp_to_milliseconds": _milliseconds,
    "timestamp_to_milliseconds_with_tz": _milliseconds,
    "duration_to_hours": _whole(3600 * times.SECOND),
    "duration_to_minutes": _whole(60 * times.SECOND),
    "duration_to_seconds": _whole(times.SECOND),
    "duration_to_milliseconds": _span_milliseconds,
}
