"""Connections to one API server that are kept open, for answers that are read at once: Prepare waits for one.

http.client needs half of the processor time that urllib3 needs. Watches stay with urllib3, which can end one from
another thread; so `Connections` stands in for a pool of urllib3, and has one.
"""

import http.client
import select
import ssl
import weakref
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError, ProtocolError

_KEPT = 8  # idle connections


@dataclass(frozen=True)
class Response:
    """An answer, read to its end."""

    status: int
    headers: http.client.HTTPMessage
    data: bytes


class Connections:
    """Safe for use from several threads. `context`: for HTTPS; `timeout` in seconds, for who gives none."""

    def __init__(self, url: urllib3.util.Url, context: ssl.SSLContext | None, timeout: float) -> None:
        self.timeout = timeout
        self._host = str(url.host).strip("[]")  # of an IPv6 address
        self._port = url.port
        self._context = context
        self._idle: deque[http.client.HTTPConnection] = deque()
        weakref.finalize(self, _close, self._idle)
        options: dict[str, Any] = {"timeout": timeout} | ({"ssl_context": context} if context else {})
        kind: Any = urllib3.HTTPSConnectionPool if context else urllib3.HTTPConnectionPool
        self._watches: urllib3.HTTPConnectionPool = kind(url.host, url.port, **options)

    def urlopen(
        self,
        method: str,
        target: str,
        body: bytes | None,
        headers: Mapping[str, str],
        *,
        retries: urllib3.Retry,
        timeout: Any,
        preload_content: bool,
    ) -> Any:
        """As of a pool of urllib3. Raises HTTPError when no answer comes; methods of `retries` are then tried again."""
        if not preload_content:
            return self._watches.urlopen(
                method, target, body, headers, retries=retries, timeout=timeout, preload_content=False
            )
        try:
            return self._request(method, target, body, headers, timeout)
        except HTTPError:
            if not retries.allowed_methods or method not in retries.allowed_methods:
                raise
        return self._request(method, target, body, headers, timeout)

    def _request(
        self, method: str, target: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> Response:
        connection = self._connection()
        try:
            connection.timeout = timeout
            if connection.sock:
                connection.sock.settimeout(timeout)
            connection.request(method, target, body, dict(headers))
            answer = connection.getresponse()
            response = Response(answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise ProtocolError(str(error) or type(error).__name__) from error
        if connection.sock and len(self._idle) < _KEPT:
            self._idle.append(connection)
        else:
            connection.close()
        return response

    def _connection(self) -> http.client.HTTPConnection:
        """One that is idle and was not closed by the server, or a new one."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if not _readable(connection):
                return connection
            connection.close()
        if self._context:
            return http.client.HTTPSConnection(self._host, self._port, context=self._context)
        return http.client.HTTPConnection(self._host, self._port)


def _readable(connection: http.client.HTTPConnection) -> bool:
    """Whether there is something to read, which on an idle connection is its end."""
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return bool(poll.poll(0))


def _close(connections: deque[http.client.HTTPConnection]) -> None:
    for connection in connections:
        connection.close()
