"""Values of Go types with a text form of their own: read, or refused with Go's words as ValueError."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from conformance.cluster.embedded.apiserver import quantities

_RFC3339 = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_MICRO_DIGITS = 6


def _quantity(value: Any) -> str:
    text = str(value).strip()
    quantities.canonical(text)
    return text


def _time(value: str) -> str:
    match = _RFC3339.fullmatch(value)
    if match is None:
        raise _no_time(value)
    try:
        when = datetime.fromisoformat(value[:19] + match[8].replace("Z", "+00:00")).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _no_time(value) from None
    return f"{when.year:04}{when.strftime('-%m-%dT%H:%M:%SZ')}"


def _no_time(value: str) -> ValueError:
    return ValueError(f'parsing time "{value}" as "2006-01-02T15:04:05Z07:00": cannot parse "{value}" as "2006"')


def _microtime(value: str) -> str:
    match, whole = _RFC3339.fullmatch(value), _time(value)
    digits = ((match and match[7]) or ".")[1:]
    if len(digits) != _MICRO_DIGITS:
        raise ValueError(f'parsing time "{value}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"')
    return f"{whole[:-1]}.{digits}Z"


def _bytes(value: str) -> str:
    try:
        base64.b64decode(value, validate=True)
    except binascii.Error:
        raise ValueError("illegal base64 data at input byte 0") from None
    return value


READERS: Mapping[str, Callable[[Any], str]] = {
    "quantity": _quantity,
    "time": _time,
    "microtime": _microtime,
    "bytes": _bytes,
}
"""By the name of the type; what they are given has the right JSON type."""
