"""Frames of HTTP/2 and the few header fields that a gRPC server sends (RFC 9113, RFC 7541)."""

import socket
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MAX_FRAME = 16384
"""Bytes of payload: the largest that everybody takes."""
WINDOW = 65535
"""Bytes that may be under way at first."""

END_STREAM = ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8
PRIORITY = 0x20
_HEAD = struct.Struct(">HBBBI")
_RECEIVE = 65536  # bytes


class Kind(IntEnum):
    """What a frame is."""

    DATA = 0
    HEADERS = 1
    PRIORITY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PUSH_PROMISE = 5
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


class Code(IntEnum):
    """Why a stream or a connection ends."""

    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    FLOW_CONTROL_ERROR = 3
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    ENHANCE_YOUR_CALM = 11


class Fault(Exception):
    """The peer broke the protocol: the connection ends with this code."""

    def __init__(self, code: Code, why: str) -> None:
        super().__init__(why)
        self.code = code


class Frame(NamedTuple):
    """A frame as it came."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    def unpadded(self) -> bytes:
        """The payload without padding and priority. Raises Fault."""
        payload = self.payload
        start, end = 0, len(payload)
        if self.flags & PADDED:
            start, end = 1, end - (payload[0] if payload else 0)
        if self.kind == Kind.HEADERS and self.flags & PRIORITY:
            start += 5
        if start > end:
            raise Fault(Code.PROTOCOL_ERROR, "more padding than there is room for")
        return payload[start:end] if start or end < len(payload) else payload


class Frames:
    """Reads frames from a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = b""
        self._at = 0

    def preface(self) -> bool:
        """Whether a client of HTTP/2 is at the other end; waits for what it says first. Raises OSError."""
        return self._fill(len(PREFACE)) and self._take(len(PREFACE)) == PREFACE

    def next(self) -> Frame | None:
        """The next frame; None when no more will come. Raises Fault, OSError."""
        if not self._fill(_HEAD.size):
            return None
        high, low, kind, flags, stream = _HEAD.unpack_from(self._buffer, self._at)
        size = high << 8 | low
        if size > MAX_FRAME:
            raise Fault(Code.FRAME_SIZE_ERROR, f"a frame of {size} bytes")
        if not self._fill(_HEAD.size + size):
            return None
        return Frame(kind, flags, stream & 0x7FFFFFFF, self._take(_HEAD.size + size)[_HEAD.size :])

    def _fill(self, size: int) -> bool:
        while len(self._buffer) - self._at < size:
            data = self._connection.recv(_RECEIVE)
            if not data:
                return False
            self._buffer = self._buffer[self._at :] + data
            self._at = 0
        return True

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._buffer[self._at - size : self._at]


def frame(kind: Kind, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A frame as it is sent; the payload has MAX_FRAME bytes at most."""
    size = len(payload)
    return _HEAD.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


def data(stream: int, payload: bytes) -> bytes:
    """As many DATA frames as it takes."""
    if len(payload) <= MAX_FRAME:
        return frame(Kind.DATA, 0, stream, payload)
    starts = range(0, len(payload), MAX_FRAME)
    return b"".join(frame(Kind.DATA, 0, stream, payload[start : start + MAX_FRAME]) for start in starts)


def number(*values: int) -> bytes:
    """Numbers of 32 bits, as they are in payloads."""
    return struct.pack(f">{len(values)}I", *values)


def settings(pairs: Sequence[tuple[int, int]]) -> bytes:
    """A SETTINGS frame."""
    return frame(Kind.SETTINGS, 0, 0, b"".join(struct.pack(">HI", *pair) for pair in pairs))


def field(name: bytes, value: bytes) -> bytes:
    """A header field that no table remembers: the same bytes every time."""
    return b"\0" + _length(name) + name + _length(value) + value


def _length(text: bytes) -> bytes:
    size = len(text)
    if size < 0x7F:
        return bytes((size,))
    size -= 0x7F
    encoded = bytearray((0x7F,))
    while size > 0x7F:
        encoded.append(size & 0x7F | 0x80)
        size >>= 7
    encoded.append(size)
    return bytes(encoded)


STATUS_200 = b"\x88"  # an entry of the table that everybody has
