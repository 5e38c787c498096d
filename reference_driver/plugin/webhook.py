"""Serves a validating webhook: HTTPS for the API server, with a certificate that may be replaced at any time."""

import json
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from . import log
from .errors import PluginError

PATH, READY = "/validate", "/readyz"
MAX_BODY = 8 << 20  # bytes: an object has at most 3 MiB, and an update brings the old one along
_IDLE = 120.0  # seconds that a connection may be silent
_HANDSHAKE = 10.0  # seconds
_GRACE = 5.0  # seconds for answers that are under way when it is told to end
_STOPPING = 0.1  # seconds between looks whether the server is to end

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""From the body of a request to that of its answer. Raises ValueError when it is not what it should be."""


class Certificate:
    """A certificate and its key in two files; both are read anew when one of them was replaced."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._files = certificate, key
        self._lock = threading.Lock()
        self._seen = self._state()
        self._context = self._load()

    def context(self) -> ssl.SSLContext:
        """TLS settings for the next connection. Of files that do not fit each other, the last that did are used."""
        with self._lock:
            try:
                state = self._state()
                if state != self._seen:
                    self._context, self._seen = self._load(), state
                    log.info("certificate replaced", file=str(self._files[0]))
            except PluginError as error:
                log.warning("new certificate not taken over", error=str(error))
            return self._context

    def _state(self) -> list[tuple[int, int, int]]:
        try:
            found = [path.stat() for path in self._files]
        except OSError as error:
            raise PluginError(f"certificate or key cannot be read: {error}") from error
        return [(status.st_ino, status.st_size, status.st_mtime_ns) for status in found]

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        certificate, key = self._files
        try:
            context.load_cert_chain(certificate, key, password="")  # nobody is there to be asked for one
        except (OSError, ssl.SSLError) as error:
            raise PluginError(f"certificate {certificate} with key {key} cannot be used: {error}") from error
        return context


class WebhookServer(ThreadingHTTPServer):
    """Listens at once; a thread for each connection. Raises PluginError when it cannot."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, certificate: Certificate, answer: Answer) -> None:
        self.answer = answer
        self._certificate = certificate
        self._changed = threading.Condition()
        self._busy = 0
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            raise PluginError(f"cannot listen on {host} port {port}: {error}") from error
        self._thread = threading.Thread(target=self.serve_forever, args=(_STOPPING,), daemon=True)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.server_address[1])

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Take no more connections, and let answers that are under way go out."""
        self.shutdown()
        self.server_close()
        with self._changed:
            self._changed.wait_for(lambda: self._busy == 0, _GRACE)

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Handle one connection, in its own thread: a client that is slow to greet keeps nobody waiting."""
        request.settimeout(_HANDSHAKE)
        with self._certificate.context().wrap_socket(request, server_side=True) as connection:
            super().finish_request(connection, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Clients go away, or do not trust the certificate; anything else is a mistake of ours."""
        error = sys.exception()
        if isinstance(error, OSError):
            log.info("connection ended", client=str(client_address[0]), error=str(error))
        else:
            log.failure("a connection to the webhook failed", client=str(client_address[0]))

    @contextmanager
    def working(self) -> Iterator[None]:
        """An answer is under way, which `stop` waits for."""
        with self._changed:
            self._busy += 1
        try:
            yield
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE
    wbufsize = -1  # head and body in one packet
    disable_nagle_algorithm = True
    server: WebhookServer

    def do_GET(self) -> None:
        """Whether it is ready."""
        if self.path == READY:
            self._send(200, {"ready": True})
        else:
            self._refuse(404, f"there is nothing here but {READY} and, for reviews, {PATH}")

    def do_POST(self) -> None:
        """A review. What is in it is never logged: parameters may be secret."""
        with self.server.working():
            self._review()

    def _review(self) -> None:
        if self.path.partition("?")[0] != PATH:
            return self._refuse(404, f"reviews go to {PATH}")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self._refuse(411, "the length of the body must be told in Content-Length")
        if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            return self._refuse(413, f"the body may have {MAX_BODY} bytes")
        try:
            review = json.loads(self.rfile.read(int(length)))
            self._send(200, self.server.answer(review if isinstance(review, dict) else {}))
        except (ValueError, RecursionError) as error:
            self._refuse(400, f"not a review: {error}")
        return None

    def log_message(self, format: str, *args: Any) -> None:
        """What is worth a line is logged where the answer is made."""

    def _refuse(self, status: int, reason: str) -> None:
        self.close_connection = True  # the body may not have been read
        log.warning("request refused", status=status, reason=reason)
        self._send(status, {"error": reason})

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()  # `stop` waits for it to be on its way
