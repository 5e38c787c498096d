"""Connections to one API server that are kept open, for answers that are read at once: Prepare waits for one.

A socket and httptools, the parser of Node.js: http.client needs six times the processor time, urllib3 yet more.
Watches stay with urllib3, which can end one from another thread.
"""

import select
import socket
import ssl
import weakref
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httptools
import urllib3
from urllib3.exceptions import HTTPError, ProtocolError

_KEPT = 16  # idle connections: as many as calls that are answered at once
_CHUNK = 16384  # bytes: what a record of TLS holds


@dataclass(frozen=True)
class Response:
    """An answer, read to its end. `headers` by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class _Reading:
    """An answer as it comes in: what httptools calls."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.body: list[bytes] = []
        self.headed = False
        self.complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.headed = True

    def on_body(self, part: bytes) -> None:
        self.body.append(part)

    def on_message_complete(self) -> None:
        self.complete = True

    @property
    def lasts(self) -> bool:
        """Whether the answer lasts until the server closes the connection."""
        return self.headed and not self.headers.keys() & {"content-length", "transfer-encoding"}


class Connections:
    """Safe for use from several threads. `context`: for HTTPS; `timeout` in seconds, for who gives none."""

    def __init__(self, url: urllib3.util.Url, context: ssl.SSLContext | None, timeout: float) -> None:
        self.timeout = timeout
        self._address = str(url.host).strip("[]"), url.port or (443 if context else 80)  # of an IPv6 address
        self._host = url.netloc or ""
        self._context = context
        self._idle: deque[socket.socket] = deque()
        weakref.finalize(self, _close, self._idle)
        options: dict[str, Any] = {"timeout": timeout} | ({"ssl_context": context} if context else {})
        kind: Any = urllib3.HTTPSConnectionPool if context else urllib3.HTTPConnectionPool
        self._watches: urllib3.HTTPConnectionPool = kind(url.host, url.port, **options)

    def watch(self, target: str, headers: Mapping[str, str], timeout: urllib3.Timeout) -> urllib3.BaseHTTPResponse:
        """GET an answer that has no end. Raises HTTPError."""
        retries = urllib3.Retry(1, redirect=0, status=0, respect_retry_after_header=False)
        return self._watches.urlopen(
            "GET", target, headers=headers, retries=retries, timeout=timeout, preload_content=False
        )

    def request(
        self, method: str, target: str, body: bytes | None, headers: Mapping[str, str], timeout: float | None = None
    ) -> Response:
        """An answer, read to its end. Raises HTTPError when none comes.

        The server may close a kept connection just as we use it. Reading again does no harm: GET is tried twice.
        """
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self._host}", *(f"{k}: {v}" for k, v in headers.items())]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        message = "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")
        try:
            return self._exchange(message, timeout or self.timeout)
        except HTTPError:
            if method != "GET":
                raise
        return self._exchange(message, timeout or self.timeout)

    def _exchange(self, message: bytes, timeout: float) -> Response:
        connection = None
        try:
            connection = self._connection(timeout)
            connection.sendall(message)
            response, keep = _read(connection)
        except (OSError, httptools.HttpParserError) as error:
            if connection:
                connection.close()
            raise ProtocolError(str(error) or type(error).__name__) from error
        if keep and len(self._idle) < _KEPT:
            self._idle.append(connection)
        else:
            connection.close()
        return response

    def _connection(self, timeout: float) -> socket.socket:
        """One that is idle and was not closed by the server, or a new one. Raises OSError."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if not _readable(connection):
                if connection.gettimeout() != timeout:
                    connection.settimeout(timeout)
                return connection
            connection.close()
        return self._connect(timeout)

    def _connect(self, timeout: float) -> socket.socket:
        connection = socket.create_connection(self._address, timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self._context:
            return connection
        try:
            return self._context.wrap_socket(connection, server_hostname=self._address[0])
        except BaseException:
            connection.close()
            raise


def _read(connection: socket.socket) -> tuple[Response, bool]:
    """The answer, and whether the connection may be used again. Raises OSError, HttpParserError."""
    reading = _Reading()
    parser = httptools.HttpResponseParser(reading)
    while not reading.complete:
        if chunk := connection.recv(_CHUNK):
            parser.feed_data(chunk)
        elif reading.lasts:
            break
        else:
            raise ConnectionError("the connection was closed before the answer was complete")
    response = Response(parser.get_status_code(), reading.headers, b"".join(reading.body))
    keep = reading.complete and parser.get_http_version() == "1.1" and reading.headers.get("connection") != "close"
    return response, keep


def _readable(connection: socket.socket) -> bool:
    """Whether there is something to read, which on an idle connection is its end."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


def _close(connections: deque[socket.socket]) -> None:
    for connection in connections:
        connection.close()
