"""A process in a container of the cluster, by the exec subresource over a websocket."""

import queue
import select
import socket
import ssl
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import websocket

from conformance.cluster.kubeconfig import Access
from conformance.verdict import Inconclusive

_PROTOCOL = "v4.channel.k8s.io"
_STDIN, _STDOUT, _STDERR, _STATUS = range(4)
_TIMEOUT = 30.0
_CHUNK = 32 * 1024
_LAST_WORDS = 2000


class ExecTransport:
    """Its standard input and output. One thread reads and writes: a TLS connection is not for two at once."""

    def __init__(self, access: Access, namespace: str, pod: str, container: str, argv: Sequence[str]) -> None:
        """Start the process. Raises Inconclusive."""
        asked = [("container", container), ("stdin", "true"), ("stdout", "true"), ("stderr", "true")]
        query = urlencode([*asked, *(("command", word) for word in argv)])
        server = access.server.rstrip("/").replace("http", "ws", 1)
        url = f"{server}/api/v1/namespaces/{namespace}/pods/{pod}/exec?{query}"
        self._websocket = _connected(url, access, f"{namespace}/{pod}")
        self._outgoing: deque[bytes] = deque()
        self._incoming: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._said = b""
        self._ended = False
        self._wake, self._waker = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name=f"exec {pod}", daemon=True)
        self._thread.start()

    def send(self, data: bytes) -> None:
        """Standard input. Raises OSError when the process or the connection has ended."""
        if self._ended:
            raise BrokenPipeError("the connection to the pod has ended")
        self._outgoing.extend(data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK))
        self._wake_up()

    def receive(self) -> bytes:
        """Standard output, b"" at its end."""
        return self._incoming.get()

    def close(self) -> None:
        """End the connection, and with it the process. May be called twice."""
        self._ended = True
        self._wake_up()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def last_words(self) -> str:
        """The end of its standard error, and how it ended."""
        return self._said.decode(errors="replace").strip() or "the connection ended without a word"

    def _wake_up(self) -> None:
        with suppress(OSError):  # closed, as the thread has ended
            self._waker.send(b"x")

    def _run(self) -> None:
        connection: Any = self._websocket.sock
        try:
            while not self._ended:
                self._receive(connection)
                self._send(connection)
                if not self._ended and not self._outgoing:
                    ready, _, _ = select.select([connection, self._wake], [], [])
                    if self._wake in ready:
                        self._wake.recv(4096)
        except (OSError, websocket.WebSocketException) as error:
            self._said = self._said or str(error).encode()
        finally:
            self._ended = True
            self._incoming.put(b"")
            self._websocket.shutdown()
            self._wake.close()
            self._waker.close()

    def _send(self, connection: Any) -> None:
        connection.settimeout(_TIMEOUT)
        while self._outgoing:
            self._websocket.send_binary(bytes([_STDIN]) + self._outgoing.popleft())

    def _receive(self, connection: Any) -> None:
        """All frames that are here: TLS may hold some of which the socket says nothing."""
        connection.settimeout(0)
        try:
            while not self._ended:
                opcode, data = self._websocket.recv_data()
                if opcode == websocket.ABNF.OPCODE_CLOSE:
                    self._ended = True
                elif data:
                    self._take(data[0], data[1:])
        except (ssl.SSLWantReadError, BlockingIOError):
            return

    def _take(self, channel: int, data: bytes) -> None:
        if channel == _STDOUT and data:
            self._incoming.put(data)
        elif channel in (_STDERR, _STATUS):
            self._said = (self._said + data)[-_LAST_WORDS:]


def _connected(url: str, access: Access, pod: str) -> Any:
    header = [f"Authorization: Bearer {access.token}"] if access.token else []
    try:
        return websocket.create_connection(
            url,
            timeout=_TIMEOUT,
            header=header,
            subprotocols=[_PROTOCOL],
            sslopt={"context": access.ssl_context()},
            http_no_proxy=["*"],
        )
    except websocket.WebSocketBadStatusException as error:
        body = error.resp_body or b""
        said = body.decode(errors="replace") if isinstance(body, bytes) else str(body)
        raise Inconclusive(f"no command can be run in pod {pod}: {said or error}") from None
    except (websocket.WebSocketException, OSError) as error:
        raise Inconclusive(f"no command can be run in pod {pod}: {error}") from None
