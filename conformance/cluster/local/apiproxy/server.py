"""The HTTPS server of the proxy: a thread for each connection, requests passed on one after the other."""

import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

from conformance.cluster.apirules import Change, Rule
from conformance.cluster.local.apiproxy.bodies import change_answer, change_lines, change_request, encode

_LOOK = 0.2  # seconds between looks at whether the client of a running watch is still there, and at being stopped
_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"}
_OWN = {*_HOP_BY_HOP, "host", "content-length", "accept-encoding"}


@dataclass(frozen=True)
class Upstream:
    """The API server, and the rules for a request (method, path with query) to it."""

    pool: urllib3.HTTPConnectionPool
    prefix: str
    matching: Callable[[str, str], Sequence[Rule]]


class Listener:
    """Listens until `stop`. Raises OSError when the port is taken; 0 takes a free one."""

    def __init__(self, port: int, tls: ssl.SSLContext, upstream: Upstream) -> None:
        self._server = _Server(port, tls, upstream)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_LOOK,), name="apiproxy", daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """End all connections."""
        with self._server.lock:
            for connection in self._server.connections:
                with suppress(OSError):
                    # Not SSLSocket's own method, which also takes the TLS state from the thread that uses it.
                    socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def stop(self) -> None:
        """Listen no more and end all connections."""
        self._server.shutdown()
        self._server.server_close()
        self.cut()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, tls: ssl.SSLContext, upstream: Upstream) -> None:
        self.tls = tls
        self.upstream = upstream
        self.lock = threading.Lock()
        self.connections: set[ssl.SSLSocket] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection broke: that is the client's affair, and happens whenever a driver is killed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    connection: ssl.SSLSocket

    def setup(self) -> None:
        """The TLS handshake is here and not where connections are accepted: a slow one is in nobody's way."""
        self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()
        with self.server.lock:
            self.server.connections.add(self.connection)

    def finish(self) -> None:
        with self.server.lock:
            self.server.connections.discard(self.connection)
        with suppress(OSError):
            super().finish()
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are in the API server's own log and in the history."""

    def do_GET(self) -> None:
        """Any request."""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            self.send_error(411)
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        rules = self.server.upstream.matching(self.command, self.path)
        time.sleep(sum(rule.delay for rule in rules))
        for rule in rules:
            if rule.refusal:
                self._refuse(rule)
                return
            if rule.lose_request:
                self.close_connection = True
                return
        self._pass_on(body, rules)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = do_GET

    def _refuse(self, rule: Rule) -> None:
        assert rule.refusal
        retry = rule.refusal.retry_after
        headers = {"Content-Type": "application/json"} | ({} if retry is None else {"Retry-After": str(retry)})
        self._answer(rule.refusal.status, headers.items(), encode(rule.refusal.body()))

    def _pass_on(self, body: bytes, rules: Sequence[Rule]) -> None:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _OWN}
        changes = [rule.change_request for rule in rules if rule.change_request]
        if changes and body:
            body, headers = change_request(body, headers, changes)
        answer_changes = [rule.change_answer for rule in rules if rule.change_answer]
        if answer_changes:
            headers = {name: value for name, value in headers.items() if name.lower() != "accept"}
            headers["Accept"] = "application/json"
        upstream = self.server.upstream
        try:
            response = upstream.pool.urlopen(
                self.command,
                upstream.prefix + self.path,
                body=body or None,
                headers=headers,
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
        except HTTPError:  # for the client the API server is away
            self.close_connection = True
            return
        try:
            if any(rule.lose_answer for rule in rules):
                response.read()
                self.close_connection = True
            elif "Content-Length" in response.headers or self.command == "HEAD":
                self._answer(response.status, _kept(response), change_answer(response.read(), answer_changes))
            else:
                self._stream(response, answer_changes)
        finally:
            response.close() if self.close_connection else response.release_conn()

    def _answer(self, status: int, headers: Iterable[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.command != "HEAD" else b"")

    def _stream(self, response: urllib3.BaseHTTPResponse, changes: Sequence[Change]) -> None:
        """An answer of unknown length, a watch mostly: passed on as it comes, until either side ends it."""
        self.send_response_only(response.status)
        for name, value in _kept(response):
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            with _ended_with(self.connection, response):
                chunks: Iterable[bytes] = response.stream(65536)
                for chunk in change_lines(chunks, changes) if changes else chunks:
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            self.wfile.write(b"0\r\n\r\n")
        except (HTTPError, OSError, ValueError):
            self.close_connection = True


def _kept(response: urllib3.BaseHTTPResponse) -> list[tuple[str, str]]:
    return [(name, value) for name, value in response.headers.items() if name.lower() not in _OWN]


@contextmanager
def _ended_with(connection: socket.socket, response: urllib3.BaseHTTPResponse) -> Iterator[None]:
    """Inside the block the answer ends when the client goes away, which a quiet watch would not notice."""
    done = threading.Event()
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLRDHUP)

    def look() -> None:
        while not done.is_set():
            if poll.poll(_LOOK * 1000):
                if not done.is_set() and isinstance(response, urllib3.HTTPResponse):
                    with suppress(ValueError, RuntimeError, OSError):
                        response.shutdown()
                return

    thread = threading.Thread(target=look, name="apiproxy client", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
