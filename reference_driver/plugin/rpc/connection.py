"""One connection of HTTP/2, seen from the server (RFC 9113)."""

import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from hpack import Decoder, HPACKError

from .frames import (
    ACK,
    END_HEADERS,
    END_STREAM,
    WINDOW,
    Code,
    Fault,
    Frame,
    Frames,
    Kind,
    data,
    frame,
    number,
    settings,
)

_LARGEST_WINDOW = 2**31 - 1
_MAX_HEADERS = 65536  # bytes
MAX_STREAMS = 1000
"""Calls of one connection that are not answered yet."""
_SLOWEST = struct.pack("ll", 20, 0)  # seconds in which the other end must take what is sent, as a struct timeval
_MAX_CONCURRENT_STREAMS, _INITIAL_WINDOW_SIZE = 3, 4  # ids of settings


class Gone(Exception):
    """Nobody waits for this stream any more."""


class Stream:
    """One request and its answer. `on_end` is called once, when it is over or the other end gave it up."""

    def __init__(self, number: int, headers: Mapping[bytes, bytes], window: int) -> None:
        self.number = number
        self.headers = headers
        self.body = bytearray()
        self.window = window  # bytes that may still be sent
        self.received = False  # the request, to its end
        self.over = False
        self.on_end: Callable[[], None] = lambda: None


class Connection:
    """Reads requests and sends answers, each from any thread.

    `on_request` is called with each stream whose request is there, by the thread that reads, and must not wait.
    `most`: bytes of a request; of a longer one the first are kept, one more than that.
    """

    def __init__(self, connection: socket.socket, on_request: Callable[[Stream], None], most: int) -> None:
        self._socket = connection
        self._on_request = on_request
        self._most = most
        self._frames = Frames(connection)
        self._decoder = Decoder(max_header_list_size=_MAX_HEADERS)
        self._streams: dict[int, Stream] = {}
        self._newest = 0
        self._taken = 0  # bytes of DATA that the other end does not know yet that we have read
        self._writing = threading.Lock()
        self._windows = threading.Condition()  # of what is sent: the fields below, and those of streams
        self._window = WINDOW
        self._stream_window = WINDOW
        self._closing = False

    def serve(self) -> None:
        """Read until the other end goes away or breaks the protocol."""
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SLOWEST)
            self._greet()
            while item := self._frames.next():
                self._take(item)
        except Fault as fault:
            with suppress(OSError):
                self._send(frame(Kind.GOAWAY, 0, 0, number(self._newest, fault.code) + str(fault).encode()))
        except OSError:
            pass  # the other end is gone
        finally:
            self.close()
            self._socket.close()

    def close(self) -> None:
        """End it and all its streams; `serve` returns."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        for stream in list(self._streams.values()):
            self._end(stream)

    def refuse(self) -> None:
        """Take no more requests: the other end may make them again, elsewhere."""
        self._closing = True
        with suppress(OSError):
            self._send(frame(Kind.GOAWAY, 0, 0, number(self._newest, Code.NO_ERROR)))

    def answer(self, stream: Stream, head: bytes = b"", body: bytes = b"", tail: bytes = b"") -> None:
        """Send frames, then a body as the other end takes it, then frames; `tail` is the end of the stream.

        Raises Gone.
        """
        try:
            while body:
                size = self._grant(stream, len(body))
                head, body = head + data(stream.number, body[:size]), body[size:]
                if body:
                    self._send(head)
                    head = b""
            if stream.over:
                raise Gone
            self._send(head + tail)
        except OSError as error:
            raise Gone from error
        if tail:
            if not stream.received:
                self.reset(stream, Code.NO_ERROR)
            self._end(stream)

    def reset(self, stream: Stream, code: Code) -> None:
        """End a stream without an answer, or the rest of a request that nobody reads."""
        with suppress(OSError):
            self._send(frame(Kind.RST_STREAM, 0, stream.number, number(code)))
        self._end(stream)

    def _greet(self) -> None:
        if not self._frames.preface():
            raise Fault(Code.PROTOCOL_ERROR, "HTTP/2 without TLS is spoken here")
        most = [(_MAX_CONCURRENT_STREAMS, MAX_STREAMS), (_INITIAL_WINDOW_SIZE, _LARGEST_WINDOW)]
        self._send(settings(most) + frame(Kind.WINDOW_UPDATE, 0, 0, number(_LARGEST_WINDOW - WINDOW)))

    def _send(self, frames: bytes) -> None:
        with self._writing:
            self._socket.sendall(frames)

    def _grant(self, stream: Stream, wanted: int) -> int:
        """How many bytes may be sent now, at least one. Raises Gone."""
        with self._windows:
            self._windows.wait_for(lambda: stream.over or min(self._window, stream.window) > 0)
            if stream.over:
                raise Gone
            size = min(wanted, self._window, stream.window)
            self._window -= size
            stream.window -= size
            return size

    def _end(self, stream: Stream) -> None:
        with self._windows:
            if stream.over:
                return
            stream.over = True
            self._streams.pop(stream.number, None)
            self._windows.notify_all()
        stream.on_end()

    def _take(self, item: Frame) -> None:
        if item.kind == Kind.HEADERS:
            self._on_headers(item)
        elif item.kind == Kind.DATA:
            self._on_data(item)
        elif item.kind == Kind.WINDOW_UPDATE:
            self._on_window(item)
        elif item.kind == Kind.SETTINGS:
            self._on_settings(item)
        elif item.kind == Kind.PING:
            self._on_ping(item)
        elif item.kind == Kind.RST_STREAM:
            self._on_reset(item)
        elif item.kind in (Kind.PUSH_PROMISE, Kind.CONTINUATION):
            raise Fault(Code.PROTOCOL_ERROR, f"{Kind(item.kind).name} where there can be none")

    def _on_headers(self, item: Frame) -> None:
        block = item.unpadded()
        last = item
        while not last.flags & END_HEADERS:
            following = self._frames.next()
            if following is None:
                raise OSError("the other end is gone")
            if following.kind != Kind.CONTINUATION or following.stream != item.stream:
                raise Fault(Code.PROTOCOL_ERROR, "a header block was cut short")
            block += following.payload
            if len(block) > _MAX_HEADERS:
                raise Fault(Code.ENHANCE_YOUR_CALM, "too many headers")
            last = following
        try:
            headers = dict(self._decoder.decode(block, raw=True))
        except HPACKError as error:
            raise Fault(Code.COMPRESSION_ERROR, str(error)) from error
        stream = self._streams.get(item.stream) or self._begin(item.stream, headers)
        if stream and item.flags & END_STREAM:
            self._received(stream)

    def _begin(self, number: int, headers: Mapping[bytes, bytes]) -> Stream | None:
        if number % 2 == 0:
            raise Fault(Code.PROTOCOL_ERROR, f"a request on stream {number}")
        if number <= self._newest:
            return None  # the end of a request that was answered before
        self._newest = number
        with self._windows:
            stream = Stream(number, headers, self._stream_window)
        if self._closing or len(self._streams) >= MAX_STREAMS:
            self.reset(stream, Code.REFUSED_STREAM)
            return None
        self._streams[number] = stream
        return stream

    def _on_data(self, item: Frame) -> None:
        body = item.unpadded()
        self._taken += len(item.payload)
        if self._taken > _LARGEST_WINDOW // 2:
            self._send(frame(Kind.WINDOW_UPDATE, 0, 0, number(self._taken)))
            self._taken = 0
        stream = self._streams.get(item.stream)
        if not stream:
            if item.stream == 0 or item.stream > self._newest:
                raise Fault(Code.PROTOCOL_ERROR, f"DATA on stream {item.stream}")
            return
        stream.body += body[: max(0, self._most + 1 - len(stream.body))]
        if item.flags & END_STREAM:
            self._received(stream)

    def _received(self, stream: Stream) -> None:
        if stream.received:
            raise Fault(Code.PROTOCOL_ERROR, f"more on stream {stream.number} after its end")
        stream.received = True
        self._on_request(stream)

    def _on_window(self, item: Frame) -> None:
        more = _one_number(item) & _LARGEST_WINDOW
        if not more:
            raise Fault(Code.PROTOCOL_ERROR, "a window that grows by nothing")
        with self._windows:
            stream = self._streams.get(item.stream)
            if item.stream == 0:
                self._window += more
            elif stream:
                stream.window += more
            if max(self._window, stream.window if stream else 0) > _LARGEST_WINDOW:
                raise Fault(Code.FLOW_CONTROL_ERROR, "a window that is too large")
            self._windows.notify_all()

    def _on_settings(self, item: Frame) -> None:
        if item.flags & ACK:
            return
        if len(item.payload) % 6 or item.stream:
            raise Fault(Code.FRAME_SIZE_ERROR, "settings of a wrong size, or of a stream")
        for name, value in struct.iter_unpack(">HI", item.payload):
            if name == _INITIAL_WINDOW_SIZE:
                self._resize(value)
        self._send(frame(Kind.SETTINGS, ACK, 0))

    def _resize(self, size: int) -> None:
        if size > _LARGEST_WINDOW:
            raise Fault(Code.FLOW_CONTROL_ERROR, "a window that is too large")
        with self._windows:
            for stream in self._streams.values():
                stream.window += size - self._stream_window
            self._stream_window = size
            self._windows.notify_all()

    def _on_ping(self, item: Frame) -> None:
        if len(item.payload) != 8:
            raise Fault(Code.FRAME_SIZE_ERROR, "a PING of a wrong size")
        if not item.flags & ACK:
            self._send(frame(Kind.PING, ACK, 0, item.payload))

    def _on_reset(self, item: Frame) -> None:
        _one_number(item)
        if item.stream == 0 or item.stream > self._newest:
            raise Fault(Code.PROTOCOL_ERROR, f"RST_STREAM of stream {item.stream}")
        if stream := self._streams.get(item.stream):
            self._end(stream)


def _one_number(item: Frame) -> int:
    if len(item.payload) != 4:
        raise Fault(Code.FRAME_SIZE_ERROR, f"{Kind(item.kind).name} of a wrong size")
    return int.from_bytes(item.payload, "big")
