"""HTTP/2 spoken by hand: a strict client takes all that the server says, and who breaks the rules is told."""

import socket
from collections.abc import Iterator
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import pytest

from reference_driver.plugin.rpc import frames
from reference_driver.plugin.rpc.frames import Code, Frame, Frames, Kind, frame, number

from .conftest import Serving

HEADERS = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", "/t.T/Echo"),
    (":authority", "localhost"),
    ("content-type", "application/grpc"),
    ("te", "trailers"),
]
SETTINGS = frames.settings([])


@pytest.fixture
def plain(serving: Serving) -> Iterator[socket.socket]:
    """A connection on which nothing was said."""
    with _connected(serving.path) as made:
        yield made


def _connected(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(30)
    made.connect(str(path))
    return made


def test_a_strict_client_takes_every_answer_through_a_window_of_one_byte_at_first(plain: socket.socket) -> None:
    client = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
    client.initiate_connection()
    client.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 1})
    plain.sendall(client.data_to_send())
    while not any(isinstance(event, h2.events.WindowUpdated) for event in client.receive_data(plain.recv(65536))):
        pass
    message = b"\0" + (70_000).to_bytes(4, "big") + b"x" * 70_000
    client.send_headers(1, HEADERS)
    for start in range(0, len(message), 10_000):
        part = message[start : start + 10_000]
        client.send_data(1, part, end_stream=start + 10_000 >= len(message), pad_length=20)
    plain.sendall(client.data_to_send())
    seen = list(_events(client, plain))
    body = b"".join(event.data for event in seen if isinstance(event, h2.events.DataReceived))
    trailers = [dict(event.headers) for event in seen if isinstance(event, h2.events.TrailersReceived)]
    assert body == message
    assert [str(status) for header in trailers for status in header.values()] == ["0"]


def _events(client: h2.connection.H2Connection, plain: socket.socket) -> Iterator[h2.events.Event]:
    while True:
        for event in client.receive_data(plain.recv(65536)):
            yield event
            if isinstance(event, h2.events.StreamEnded):
                return
            if isinstance(event, h2.events.DataReceived):
                client.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        plain.sendall(client.data_to_send())


def test_a_request_in_pieces_with_priority_and_padding_is_one(plain: socket.socket) -> None:
    block = b"".join(frames.field(name.encode(), value.encode()) for name, value in HEADERS)
    first = bytes([3]) + b"\0\0\0\0\x10" + block[:20] + b"pad"
    pieces = [
        frames.PREFACE + SETTINGS,
        frame(Kind.HEADERS, frames.PADDED | frames.PRIORITY, 1, first),
        frame(Kind.CONTINUATION, 0, 1, block[20:40]),
        frame(Kind.CONTINUATION, frames.END_HEADERS, 1, block[40:]),
        frame(Kind.PRIORITY, 0, 1, b"\0\0\0\0\x10"),
        frame(Kind.DATA, 0, 1, b"\0\0\0\0\2h"),
        frame(Kind(9), 0, 1, b"")[:3] + b"\xfa" + b"\0" * 5,  # a kind of frame that nobody knows
        frame(Kind.DATA, frames.END_STREAM, 1, b"i"),
    ]
    for byte in b"".join(pieces):
        plain.sendall(bytes([byte]))
    assert _payloads(plain, Kind.DATA, 1) == [b"\0\0\0\0\2hi"]


def test_pings_are_answered(plain: socket.socket) -> None:
    plain.sendall(frames.PREFACE + SETTINGS + frame(Kind.PING, 0, 0, b"12345678"))
    assert _payloads(plain, Kind.PING, 1) == [b"12345678"]


BROKEN = {
    "no HTTP/2 at all": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", Code.PROTOCOL_ERROR),
    "a frame that is too long": (frame(Kind.PING, 0, 0, b"x" * 20_000), Code.FRAME_SIZE_ERROR),
    "a request on an even stream": (frame(Kind.HEADERS, 5, 2, b"\x83"), Code.PROTOCOL_ERROR),
    "a request on stream 0": (frame(Kind.HEADERS, 5, 0, b"\x83"), Code.PROTOCOL_ERROR),
    "headers that are no HPACK": (frame(Kind.HEADERS, 5, 1, b"\xff\xff\xff\xff\xff"), Code.COMPRESSION_ERROR),
    "headers without their end": (
        frame(Kind.HEADERS, 0, 1, b"\x83") + frame(Kind.PING, 0, 0, b"x" * 8),
        Code.PROTOCOL_ERROR,
    ),
    "headers without limit": (
        frame(Kind.HEADERS, 0, 1, b"") + frame(Kind.CONTINUATION, 0, 1, b"\0" * 16_384) * 5,
        Code.ENHANCE_YOUR_CALM,
    ),
    "a continuation of nothing": (frame(Kind.CONTINUATION, 4, 1, b"\x83"), Code.PROTOCOL_ERROR),
    "a push from a client": (frame(Kind.PUSH_PROMISE, 4, 1, b"\0\0\0\2"), Code.PROTOCOL_ERROR),
    "data of no request": (frame(Kind.DATA, 1, 1, b"x"), Code.PROTOCOL_ERROR),
    "padding longer than its frame": (
        frame(Kind.HEADERS, 4, 1, b"\x83") + frame(Kind.DATA, 9, 1, b"\x09x"),
        Code.PROTOCOL_ERROR,
    ),
    "a ping of four bytes": (frame(Kind.PING, 0, 0, b"1234"), Code.FRAME_SIZE_ERROR),
    "settings of five bytes": (frame(Kind.SETTINGS, 0, 0, b"12345"), Code.FRAME_SIZE_ERROR),
    "a window of 4 GiB": (frames.settings([(4, 2**32 - 1)]), Code.FLOW_CONTROL_ERROR),
    "a window that grows too far": (
        frame(Kind.WINDOW_UPDATE, 0, 0, number(2**31 - 1)),
        Code.FLOW_CONTROL_ERROR,
    ),
    "a window that grows by nothing": (frame(Kind.WINDOW_UPDATE, 0, 0, number(0)), Code.PROTOCOL_ERROR),
    "an end of no request": (frame(Kind.RST_STREAM, 0, 7, number(8)), Code.PROTOCOL_ERROR),
}


@pytest.mark.parametrize("what", BROKEN)
def test_who_breaks_the_protocol_is_told_and_the_others_are_served(
    plain: socket.socket, serving: Serving, what: str
) -> None:
    said, code = BROKEN[what]
    plain.sendall(said if code is Code.PROTOCOL_ERROR and b"HTTP/1" in said else frames.PREFACE + SETTINGS + said)
    (goaway,) = _payloads(plain, Kind.GOAWAY, 1)
    assert int.from_bytes(goaway[4:8], "big") == code
    with _connected(serving.path) as other:
        test_pings_are_answered(other)


def test_more_calls_than_can_wait_are_refused_one_by_one(plain: socket.socket) -> None:
    block = b"".join(frames.field(name.encode(), value.encode()) for name, value in HEADERS)
    begun = b"".join(frame(Kind.HEADERS, frames.END_HEADERS, 2 * n + 1, block) for n in range(1001))
    plain.sendall(frames.PREFACE + SETTINGS + begun)
    assert _payloads(plain, Kind.RST_STREAM, 1) == [number(Code.REFUSED_STREAM)]


def _payloads(plain: socket.socket, kind: Kind, count: int) -> list[bytes]:
    """Of so many frames of a kind, whatever comes between them."""
    reader, found = Frames(plain), list[bytes]()
    while len(found) < count:
        item: Frame | None = reader.next()
        assert item, f"the connection ended before {kind.name}"
        if item.kind == kind and not (kind == Kind.SETTINGS and item.flags & frames.ACK):
            found.append(item.payload)
    return found
