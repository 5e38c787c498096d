"""Bodies in Kubernetes' protobuf encoding, read into the JSON form of the same object.

Go clients send them by default. Source: k8s.io/apimachinery/pkg/runtime/serializer/protobuf.
"""

import base64
import json
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from conformance.cluster.embedded.apiserver.protobuf_tables import MESSAGES, Field, message_of
from conformance.cluster.embedded.apiserver.status import bad_request, unsupported_media

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
        name = message_of(api_version, kind)
        if name is None:
            raise unsupported_media(f"{PROTOBUF} of {api_version} {kind}", "application/json, application/yaml")
        return {"apiVersion": api_version, "kind": kind, **_message(name, envelope.get(2, b""))}
    except (IndexError, ValueError, struct.error) as error:
        raise bad_request(f"error decoding protobuf body: {error}") from None


def _message(name: str, data: bytes) -> dict[str, Any]:
    fields = MESSAGES[name]
    result: dict[str, Any] = {}
    for number, value in _wire(data):
        field = fields.get(number)
        if field is not None:
            _set(result, field, value)
    return result


def _set(result: dict[str, Any], field: Field, value: Any) -> None:
    if field.inline:
        result |= _message(field.type, value)
    elif field.shape == "list":
        rows = result.setdefault(field.name, [])
        rows.extend(_packed(field, value) if _is_packed(field, value) else [_scalar(field.type, value)])
    elif field.shape == "map":
        entry = dict(_wire(value))
        default: Any = b"" if field.type != "int" else 0
        result.setdefault(field.name, {})[entry.get(1, b"").decode()] = _scalar(field.type, entry.get(2, default))
    else:
        decoded = _scalar(field.type, value)
        # Go writes out what is empty unless it is a pointer, and leaves it out of JSON.
        if field.pointer or decoded not in ("", 0, None):
            result[field.name] = decoded


def _is_packed(field: Field, value: Any) -> bool:
    return field.type in ("int", "bool") and isinstance(value, bytes)


def _packed(field: Field, data: bytes) -> Iterator[Any]:
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        yield _scalar(field.type, number)


def _scalar(kind: str, value: Any) -> Any:
    if kind == "string":
        return value.decode()
    if kind == "bytes":
        return base64.b64encode(value).decode()
    if kind == "int":
        return value - (1 << 64) if value >= 1 << 63 else value
    if kind == "bool":
        return bool(value)
    if kind == "quantity":
        return dict(_wire(value)).get(1, b"0").decode()
    if kind in ("time", "microtime"):
        return _time(value, micro=kind == "microtime")
    if kind == "raw":
        raw = dict(_wire(value)).get(1, b"")
        return json.loads(raw) if raw else None
    return _message(kind, value)


def _time(data: bytes, *, micro: bool) -> str | None:
    parts = dict(_wire(data))
    if not parts:
        return None
    when = datetime.fromtimestamp(_scalar("int", parts.get(1, 0)), UTC)
    if micro:
        when = when.replace(microsecond=parts.get(2, 0) // 1000)
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ" if micro else "%Y-%m-%dT%H:%M:%SZ")


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
