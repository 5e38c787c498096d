"""Metrics and probes over plain HTTP: /metrics, /healthz, /readyz. Nothing secret is told there."""

import errno
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any

from . import log
from .errors import PluginError

Page = tuple[int, str, bytes]
"""What is answered: HTTP status, content type, body."""

_STOP_SEEN = 0.1  # seconds in which the server notices that it is to end
_SLOWEST = 10.0  # seconds for a client to send its request
TEXT = "text/plain; charset=utf-8"


class HttpServer:
    """Answers GET for a few paths, each request in a thread of its own."""

    def __init__(self, address: str, pages: Mapping[str, Callable[[], Page]]) -> None:
        """`address` as given to --http-address: host:port, :port, [IPv6 address]:port. Raises PluginError."""
        self._given = address
        self._hosts, self._port = parse(address)
        self._pages = pages
        self._server: _Server | None = None

    def start(self) -> None:
        """Listen. Raises PluginError."""
        for host in self._hosts:
            try:
                self._server = _Server((host, self._port), _handler(self._pages))
                break
            except OSError as error:
                if host == self._hosts[-1] or error.errno == errno.EADDRINUSE:
                    why = error.strerror or error
                    raise PluginError(f"--http-address: cannot listen on {self._given}: {why}") from error
        assert self._server
        threading.Thread(target=self._server.serve_forever, args=(_STOP_SEEN,), daemon=True).start()
        log.info("metrics and probes", port=self._server.server_port)

    def stop(self) -> None:
        """Listen no more."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()


def parse(address: str) -> tuple[Sequence[str], int]:
    """Hosts, of which the first is taken that there is, and port. Raises PluginError."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535 or (":" in host and not host.startswith("[")):
        raise PluginError(f"--http-address must be host:port or :port, such as :8080, not {address!r}")
    return (host.strip("[]"),) if host else ("::", "0.0.0.0"), int(port)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def server_bind(self) -> None:
        """As in the base class, but without looking the own name up, which may take long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away."""


def _handler(pages: Mapping[str, Callable[[], Page]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = _SLOWEST
        server_version = "dra-plugin"
        sys_version = ""

        def do_GET(self) -> None:
            page = pages.get(self.path.partition("?")[0])
            if not page:
                return self.answer(404, TEXT, f"only here: {', '.join(pages)}\n".encode())
            try:
                found = page()
            except Exception as error:
                log.failure("a page failed", path=self.path)
                found = (500, TEXT, f"{type(error).__name__}\n".encode())
            return self.answer(*found)

        def answer(self, status: int, content_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Probes come every few seconds: not worth a line."""

    return Handler
