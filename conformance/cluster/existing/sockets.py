"""Unix sockets of a node as local ones: each connection to a local one is passed on to that of the node."""

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path

from conformance.cluster.existing.agent import CHUNK
from conformance.cluster.existing.link import Link

_SEND_WITHIN = struct.pack("ll", 10, 0)  # a timeval: seconds, microseconds
_BACKLOG = 64


class TunnelledSocket:
    """A local socket that stands for one of a node. `link` is asked for the agent anew at each connection.

    pid: the process on the node that listened at the latest connection, 0 before the first.
    """

    def __init__(self, local: Path, on_node: str, link: Callable[[], Link]) -> None:
        self.local = local
        self.on_node = on_node
        self.pid = 0
        self._link = link
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._server = socket.socket(socket.AF_UNIX)
        self._thread = threading.Thread(target=self._accept, name=f"tunnel {local.name}", daemon=True)

    def start(self) -> None:
        """Listen. Raises OSError."""
        self.local.parent.mkdir(parents=True, exist_ok=True)
        self.local.unlink(missing_ok=True)
        folder = os.open(self.local.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:  # a path of a unix socket ends at 107 bytes
            self._server.bind(f"/proc/self/fd/{folder}/{self.local.name}")
        finally:
            os.close(folder)
        self._server.listen(_BACKLOG)
        self._thread.start()

    def stop(self) -> None:
        """Remove the local socket and end its connections."""
        self.local.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.close()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            _shut(connection)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), name="tunnel", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.add(connection)
        try:
            self._pass_on(connection)
        except Exception:
            # Whoever dialled sees a connection that ends, as from a driver that is not there.
            return
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.close()

    def _pass_on(self, connection: socket.socket) -> None:
        # What comes is sent on in the thread that reads for all connections: nobody may hold it up.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SEND_WITHIN)

        def got(data: bytes) -> None:
            try:
                connection.sendall(data)
            except OSError:
                _shut(connection)

        stream = self._link().open(self.on_node, got, lambda: _shut(connection))
        try:
            self.pid = stream.opened.result()
            while data := connection.recv(CHUNK):
                stream.send(data)
        finally:
            stream.close()


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
