"""Reads the parser's answer, a ParsedExpr message (google/cel-spec, cel/expr/syntax.proto), without generated code."""

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.scheduler.expressions.tree import (
    Call,
    Entry,
    Fold,
    Ident,
    ListOf,
    Literal,
    MapOf,
    Node,
    Select,
    StructOf,
)
from conformance.cluster.embedded.scheduler.expressions.values import UInt

_SIGNED = 1 << 63


def decode(answer: bytes) -> Node:
    """The tree in an Any message with a ParsedExpr."""
    parsed = _fields(_fields(answer)[2][0])
    positions = {}
    for entry in _fields(parsed[3][0]).get(4, []):
        row = _fields(entry)
        positions[_number(row, 1)] = _number(row, 2)
    return _Reader(positions).node(parsed[2][0])


class _Reader:
    """Turns messages into nodes; `positions` are offsets by the messages' ids."""

    def __init__(self, positions: Mapping[int, int]) -> None:
        self._positions = positions

    def node(self, message: bytes) -> Node:
        row = _fields(message)
        offset = self._positions.get(_number(row, 2), 0)
        if 3 in row:
            return Literal(offset, _constant(row[3][0]))
        if 4 in row:
            return Ident(offset, _text(_fields(row[4][0]), 1))
        if 5 in row:
            select = _fields(row[5][0])
            return Select(offset, self.node(select[1][0]), _text(select, 2), bool(_number(select, 3)))
        if 6 in row:
            call = _fields(row[6][0])
            target = self.node(call[1][0]) if 1 in call else None
            return Call(offset, _text(call, 2), [self.node(item) for item in call.get(3, [])], target)
        if 7 in row:
            items = _fields(row[7][0])
            optional = frozenset(number for packed in items.get(2, []) for number in _packed(packed))
            return ListOf(offset, [self.node(item) for item in items.get(1, [])], optional)
        if 8 in row:
            return self._struct(offset, _fields(row[8][0]))
        return self._fold(offset, _fields(row[9][0]))

    def _struct(self, offset: int, row: dict[int, list[Any]]) -> Node:
        entries = [_fields(item) for item in row.get(2, [])]
        if _text(row, 1):
            return StructOf(offset, _text(row, 1), [(_text(item, 2), self.node(item[4][0])) for item in entries])
        return MapOf(
            offset,
            [
                Entry(
                    self._positions.get(_number(item, 1), 0),
                    self.node(item[3][0]),
                    self.node(item[4][0]),
                    bool(_number(item, 5)),
                )
                for item in entries
            ],
        )

    def _fold(self, offset: int, row: dict[int, list[Any]]) -> Node:
        over, start, condition, step, result = (self.node(row[key][0]) for key in (2, 4, 5, 6, 7))
        return Fold(offset, _text(row, 1), _text(row, 8), over, _text(row, 3), start, condition, step, result)


def _constant(message: bytes) -> Any:
    row = _fields(message)
    key = next(iter(row))
    value = row[key][0]
    match key:
        case 1:
            return None
        case 2:
            return bool(value)
        case 3:
            return value - (1 << 64) if value >= _SIGNED else value
        case 4:
            return UInt(value)
        case 5:
            return struct.unpack("<d", value)[0]
        case 6:
            return value.decode()
        case _:
            return value


def _text(row: Mapping[int, list[Any]], key: int) -> str:
    return str(row[key][0].decode()) if key in row else ""


def _number(row: Mapping[int, list[Any]], key: int) -> int:
    return int(row[key][0]) if key in row else 0


def _packed(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
        return
    position = 0
    while position < len(value):
        number, position = _varint(value, position)
        yield number


def _fields(message: bytes) -> dict[int, list[Any]]:
    """Numbers and bytes of a message by field number."""
    found: dict[int, list[Any]] = {}
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        key, wire = tag >> 3, tag & 7
        value: Any
        if wire == 0:
            value, position = _varint(message, position)
        else:
            size, position = (8, position) if wire == 1 else _varint(message, position)
            value, position = message[position : position + size], position + size
        found.setdefault(key, []).append(value)
    return found


def _varint(message: bytes, position: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[position]
        position += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, position
