"""Connections to the API server: kept while they can be, whatever form its answers have."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
import urllib3
from urllib3.exceptions import HTTPError

from reference_driver.plugin.connections import Connections

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
UNTIL_THE_END = b"HTTP/1.1 200 OK\r\n\r\nhello"
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
OLD = b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"


@contextmanager
def server(*answers: bytes, closes: bool = False) -> Iterator[tuple[Connections, list[bytes]]]:
    """A server that gives these answers in turn, and the connections that it was asked by, as what came in on each."""
    left, asked = list(answers), list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        asked.append(b"")
                        while left and (message := connection.recv(65536)):
                            asked[-1] += message
                            connection.sendall(left.pop(0))
                            if closes:
                                break

        threading.Thread(target=serve, daemon=True).start()
        url = urllib3.util.parse_url(f"http://127.0.0.1:{listening.getsockname()[1]}")
        yield Connections(url, None, 5), asked
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("answer", [WHOLE, CHUNKED])
def test_a_connection_is_used_again(answer: bytes) -> None:
    with server(answer, answer) as (connections, asked):
        for _ in range(2):
            assert connections.request("GET", "/path", None, {"Accept": "a/b"}).data == b"hello"
        assert len(asked) == 1


@pytest.mark.parametrize("answer", [UNTIL_THE_END, CLOSING, OLD])
def test_an_answer_after_which_the_connection_is_of_no_more_use(answer: bytes) -> None:
    with server(answer, answer, closes=True) as (connections, asked):
        for _ in range(2):
            assert connections.request("GET", "/path", None, {}).data == b"hello"
        assert len(asked) == 2


def test_what_is_sent() -> None:
    with server(WHOLE) as (connections, asked):
        connections.request("PUT", "/path?a=b", b"body", {"Accept": "a/b"})
    first, *headers = asked[0].split(b"\r\n")
    assert first == b"PUT /path?a=b HTTP/1.1"
    assert headers[1:] == [b"Accept: a/b", b"Content-Length: 4", b"", b"body"]
    assert headers[0].startswith(b"Host: 127.0.0.1:")


@pytest.mark.parametrize("answer", [WHOLE[:-1], CHUNKED[:-5], b"HTTP/1.1 200", b"", b"no HTTP at all\r\n\r\n"])
def test_half_an_answer_is_none(answer: bytes) -> None:
    with server(answer, answer, closes=True) as (connections, asked):
        with pytest.raises(HTTPError):
            connections.request("PUT", "/path", b"", {})
        assert len(asked) == 1, "a write is not tried again"


def test_a_read_is_tried_again() -> None:
    with server(b"", WHOLE, closes=True) as (connections, _):
        assert connections.request("GET", "/path", None, {}).data == b"hello"
