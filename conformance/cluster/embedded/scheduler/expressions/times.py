"""Timestamps and durations."""

import re
from datetime import UTC, datetime

from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.values import MAX_INT, MIN_INT, Duration, Timestamp

SECOND = 10**9
_UNITS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))", re.ASCII
)
# As Go has it.
_LARGEST_SHIFT = (24, 60)
# More digits than the largest number has.
_DIGITS = 25
_FIRST, _LAST = -62135596800, 253402300799


def _no_conversion(kind: str) -> EvaluationError:
    return EvaluationError(f"type conversion error from 'string' to 'google.protobuf.{kind}'")


def duration(text: str) -> Duration:
    """A span such as `1h30m`. Raises EvaluationError."""
    rest = text.lstrip("+-") if text[:1] in "+-" else text
    if len(text) - len(rest) > 1:
        raise _no_conversion("Duration")
    if rest == "0":
        return Duration(0)
    position, total = 0, 0
    while position < len(rest):
        part = _PART.match(rest, position)
        if part is None:
            raise _no_conversion("Duration")
        whole, _, fraction = part[1].partition(".")
        unit = _UNITS[part[2]]
        total += int(whole.lstrip("0")[:_DIGITS] or 0) * unit + _part_of(unit, fraction)
        position = part.end()
    total = -total if text.startswith("-") else total
    if not rest or not MIN_INT <= total <= MAX_INT:
        raise _no_conversion("Duration")
    return Duration(total)


def _part_of(unit: int, fraction: str) -> int:
    """A decimal fraction of a unit, with the rounding of Go's time.ParseDuration."""
    number, scale = 0, 1.0
    for digit in fraction:
        if number > MAX_INT // 10:
            break
        number, scale = number * 10 + int(digit), scale * 10
    return int(number * (unit / scale))


def span(nanoseconds: int) -> Duration:
    """A duration in range. Raises EvaluationError."""
    if not MIN_INT <= nanoseconds <= MAX_INT:
        raise EvaluationError("integer overflow")
    return Duration(nanoseconds)


def moment(nanoseconds: int) -> Timestamp:
    """A timestamp in range. Raises EvaluationError."""
    if not _FIRST <= nanoseconds // SECOND <= _LAST:
        raise EvaluationError("timestamp overflow")
    return Timestamp(nanoseconds)


def from_seconds(seconds: int) -> Timestamp:
    """A timestamp from seconds since 1970. Raises EvaluationError."""
    return moment(seconds * SECOND)


def timestamp(text: str) -> Timestamp:
    """A moment of RFC 3339. Raises EvaluationError."""
    parts = _MOMENT.fullmatch(text)
    try:
        if parts is None:
            raise ValueError
        day = datetime(*(int(parts[index]) for index in range(1, 7)), tzinfo=UTC)  # type: ignore[arg-type, misc]
    except ValueError:
        raise _no_conversion("Timestamp") from None
    seconds = int(day.timestamp())
    if parts[8]:
        hours, minutes = int(parts[9]), int(parts[10])
        if hours > _LARGEST_SHIFT[0] or minutes > _LARGEST_SHIFT[1]:
            raise _no_conversion("Timestamp")
        shift = hours * 3600 + minutes * 60
        seconds += -shift if parts[8] == "+" else shift
    return moment(seconds * SECOND + int((parts[7] or "0").ljust(9, "0")[:9]))


def show_duration(value: Duration) -> str:
    """As string() shows it: seconds."""
    whole, rest = divmod(abs(value.nanoseconds), SECOND)
    sign = "-" if value.nanoseconds < 0 else ""
    return f"{sign}{whole}" + (f".{rest:09d}".rstrip("0") if rest else "") + "s"


def show_timestamp(value: Timestamp) -> str:
    """As string() shows it: RFC 3339 in UTC."""
    seconds, rest = divmod(value.nanoseconds, SECOND)
    day = datetime.fromtimestamp(seconds, UTC)
    shown = f"{day.year:04d}-{day:%m-%dT%H:%M:%S}"
    return shown + (f".{rest:09d}".rstrip("0") if rest else "") + "Z"
