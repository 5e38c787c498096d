"""Bodies in Kubernetes' protobuf encoding, read into the JSON form of the same object.

Go clients send them by default. Source: k8s.io/apimachinery/pkg/runtime/serializer/protobuf.
"""

import base64
import json
import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from conformance.cluster.embedded.apiserver.status import bad_request, unsupported_media
from conformance.cluster.embedded.apiserver.types import Field, Struct, find_struct, struct_of

PROTOBUF = "application/vnd.kubernetes.protobuf"
_MAGIC = b"k8s\x00"

Wire = Iterator[tuple[int, Any]]


def decode_protobuf(data: bytes) -> dict[str, Any]:
    """The object in a body. Raises BadRequest when it is broken, ApiError 415 for kinds that have no table."""
    if not data.startswith(_MAGIC):
        raise bad_request("provided data does not appear to be a protobuf message, expected prefix 'k8s\\x00'")
    try:
        envelope = dict(_wire(data[len(_MAGIC) :]))
        head = {number: value.decode() for number, value in _wire(envelope.get(1, b""))}
        api_version, kind = head.get(1, ""), head.get(2, "")
        found = find_struct(api_version, kind)
        if found is None:
            raise unsupported_media("application/json, application/yaml")
        return {"apiVersion": api_version, "kind": kind, **_message(found, envelope.get(2, b""))}
    except (IndexError, ValueError, struct.error) as error:
        raise bad_request(f"error decoding protobuf body: {error}") from None


def _message(of: Struct, data: bytes) -> dict[str, Any]:
    fields = of.numbers
    result: dict[str, Any] = {}
    for number, value in _wire(data):
        field = fields.get(number)
        if field is not None:
            _set(result, field, value)
    return result


def _set(result: dict[str, Any], field: Field, value: Any) -> None:
    if field.inline:
        result |= _message(struct_of(field.kind), value)
    elif field.is_list:
        packed = field.item.kind in _NUMBERS and isinstance(value, bytes)
        rows = result.setdefault(field.name, [])
        rows.extend(_packed(field.item, value) if packed else [_value(field.item, value)])
    elif field.is_map:
        entry = dict(_wire(value))
        default: Any = 0 if field.item.kind in _NUMBERS else b""
        result.setdefault(field.name, {})[entry.get(1, b"").decode()] = _value(field.item, entry.get(2, default))
    else:
        decoded = _value(field, value)
        # Go writes out what is empty unless it is a pointer, and leaves it out of JSON.
        if field.pointer or decoded not in ("", 0, None):
            result[field.name] = decoded


def _packed(field: Field, data: bytes) -> Iterator[Any]:
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        yield _value(field, number)


def _value(field: Field, value: Any) -> Any:
    kind = field.kind
    if field.is_list:  # a list in a map is a message with the list in it
        return [_value(field.item, item) for _, item in _wire(value)]
    if kind in _READERS:
        return _READERS[kind](value)
    return _message(struct_of(kind), value)


def _integer(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _quantity(value: bytes) -> str:
    return str(dict(_wire(value)).get(1, b"0").decode())


def _raw(value: bytes) -> Any:
    raw = dict(_wire(value)).get(1, b"")
    return json.loads(raw) if raw else None


def _int_or_string(value: bytes) -> int | str:
    parts = dict(_wire(value))
    return parts.get(3, b"").decode() if parts.get(1) else _integer(parts.get(2, 0))


def _time(data: bytes) -> str | None:
    return _moment(data, "%Y-%m-%dT%H:%M:%SZ")


def _microtime(data: bytes) -> str | None:
    return _moment(data, "%Y-%m-%dT%H:%M:%S.%fZ")


def _moment(data: bytes, form: str) -> str | None:
    parts = dict(_wire(data))
    if not parts:
        return None
    when = datetime.fromtimestamp(_integer(parts.get(1, 0)), UTC)
    return when.replace(microsecond=parts.get(2, 0) // 1000).strftime(form)


_READERS: dict[str, Callable[[Any], Any]] = {
    "string": bytes.decode,
    "bytes": lambda value: base64.b64encode(value).decode(),
    "int32": _integer,
    "int64": _integer,
    "bool": bool,
    "quantity": _quantity,
    "time": _time,
    "microtime": _microtime,
    "raw": _raw,
    "fields": _raw,
    "intstr": _int_or_string,
}
_NUMBERS = ("int32", "int64", "bool")


def _wire(data: bytes) -> Wire:
    """Field numbers and raw values: integers, or bytes for what has a length."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == 0:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire_type == 2:
            length, at = _varint(data, at)
        elif wire_type in (1, 5):
            length = 8 if wire_type == 1 else 4
        else:
            raise ValueError(f"wire type {wire_type} of field {number}")
        if at + length > len(data):
            raise ValueError(f"field {number} is cut off")
        yield number, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
