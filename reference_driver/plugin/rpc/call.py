"""One call: gRPC's own part of a request and its answer (PROTOCOL-HTTP2.md of gRPC)."""

import time
import urllib.parse
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

import grpc

from reference_driver.plugin import log
from reference_driver.plugin.errors import told

from .connection import Connection, Gone, Stream
from .frames import END_HEADERS, END_STREAM, STATUS_200, Kind, field, frame

MAX_REQUEST = 4 * 2**20
"""Bytes of a request's message: gRPC's usual limit."""
PREFIX = 5
"""Bytes before a message: whether it is compressed, and its size."""
_LONGEST = 500  # characters of an error: clients take 8 KiB of headers, and each may become twelve bytes
_UNITS = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}  # seconds
_TYPE = b"application/grpc"
_HEAD = STATUS_200 + field(b"content-type", _TYPE)
_OK = field(b"grpc-status", b"0")
_PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")


class _Aborted(Exception):
    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self.code = code


class Call:
    """What a servicer knows of a call: of grpc.ServicerContext, what is of use to the kubelet's services."""

    def __init__(self, connection: Connection, stream: Stream) -> None:
        self._connection = connection
        self._stream = stream
        self._headed = False
        self._callbacks: list[Callable[[], None]] = []
        timeout = _seconds(stream.headers)
        self._deadline = None if timeout is None else time.monotonic() + timeout
        stream.on_end = self._ended

    @property
    def method(self) -> str:
        """What is called: /package.Service/Method."""
        return self._stream.headers.get(b":path", b"").decode("latin-1")

    def time_remaining(self) -> float | None:
        """Seconds that the caller still waits, at least 0; None when it said nothing of it."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def is_active(self) -> bool:
        """Whether anybody waits for an answer."""
        return not self._stream.over and self.time_remaining() != 0

    def add_callback(self, callback: Callable[[], None]) -> bool:
        """Have it called when the call is over or was given up; False when it is by now, and it will not be called."""
        self._callbacks.append(callback)
        return not self._stream.over

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """End the call with an error, by an exception that servicers let pass."""
        raise _Aborted(code, details)

    def run(self, handler: Any) -> None:
        """Have the handler do the work, and answer. `handler`: a grpc.RpcMethodHandler of one request."""
        try:
            self._run(handler)
            self._finish(_OK)
        except Gone:
            pass
        except _Aborted as aborted:
            self.refuse(aborted.code, str(aborted))
        except Exception as error:
            log.crash("a call failed", method=self.method)
            self.refuse(grpc.StatusCode.UNKNOWN, told(error))

    def refuse(self, code: grpc.StatusCode, details: str) -> None:
        """Answer with an error."""
        text = urllib.parse.quote(details[:_LONGEST], safe=_PLAIN).encode("ascii")
        with suppress(Gone):
            self._finish(field(b"grpc-status", str(code.value[0]).encode()) + field(b"grpc-message", text))

    def _run(self, handler: Any) -> None:
        message = self._message()
        try:
            request = handler.request_deserializer(message) if handler.request_deserializer else message
        except Exception as error:
            raise _Aborted(grpc.StatusCode.INTERNAL, f"the request cannot be read: {error}") from error
        if handler.response_streaming:
            for answer in handler.unary_stream(request, self):
                self._send(handler, answer)
        else:
            self._send(handler, handler.unary_unary(request, self))

    def _message(self) -> bytes:
        body = self._stream.body
        if not self._stream.headers.get(b"content-type", b"").startswith(_TYPE):
            raise _Aborted(grpc.StatusCode.INVALID_ARGUMENT, "gRPC is spoken here, and nothing else")
        if len(body) > PREFIX + MAX_REQUEST:
            raise _Aborted(grpc.StatusCode.RESOURCE_EXHAUSTED, f"the request has more than {MAX_REQUEST} bytes")
        if len(body) < PREFIX or int.from_bytes(body[1:PREFIX], "big") != len(body) - PREFIX:
            raise _Aborted(grpc.StatusCode.INTERNAL, "the request is not one message")
        if body[0]:
            raise _Aborted(grpc.StatusCode.UNIMPLEMENTED, "the request is compressed")
        return bytes(body[PREFIX:])

    def _send(self, handler: Any, answer: Any) -> None:
        message = handler.response_serializer(answer) if handler.response_serializer else answer
        body = b"\0" + len(message).to_bytes(4, "big") + message
        if handler.response_streaming:
            self._connection.answer(self._stream, self._head(), body)
        else:
            self._connection.answer(self._stream, self._head(), body, _trailers(self._stream, _OK))

    def _head(self) -> bytes:
        if self._headed:
            return b""
        self._headed = True
        return frame(Kind.HEADERS, END_HEADERS, self._stream.number, _HEAD)

    def _finish(self, trailers: bytes) -> None:
        if not self._stream.over:
            block = trailers if self._headed else _HEAD + trailers
            self._connection.answer(self._stream, tail=_trailers(self._stream, block))

    def _ended(self) -> None:
        for callback in self._callbacks:
            callback()


def _trailers(stream: Stream, block: bytes) -> bytes:
    return frame(Kind.HEADERS, END_HEADERS | END_STREAM, stream.number, block)


def _seconds(headers: Mapping[bytes, bytes]) -> float | None:
    """How long the caller waits, by its grpc-timeout; one that cannot be read is none."""
    given = headers.get(b"grpc-timeout", b"")
    amount, unit = given[:-1], _UNITS.get(given[-1:])
    return int(amount) * unit if unit and amount.isdigit() else None
