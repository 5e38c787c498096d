"""gRPC servers on unix sockets with paths of any length."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

_WORKERS = 16


class SocketServer:
    """A gRPC server on one socket, started and stopped as often as needed; `add` puts the services on each new one."""

    def __init__(self, path: Path, add: Callable[[Any], None]) -> None:
        self.path = path
        self._add = add
        self._server: Any = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Listen, if it does not yet. Raises OSError, RuntimeError."""
        with self._lock:
            if self._server is not None:
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.unlink(missing_ok=True)
            server: Any = grpc.server(ThreadPoolExecutor(_WORKERS, thread_name_prefix=f"tap {self.path.name}"))
            self._add(server)
            # Bound through the folder's descriptor: a path of a unix socket ends at 107 bytes.
            folder = os.open(self.path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                server.add_insecure_port(f"unix:/proc/self/fd/{folder}/{self.path.name}")
            finally:
                os.close(folder)
            server.start()
            self._server = server

    def stop(self) -> None:
        """End all connections and remove the socket. May be called twice."""
        with self._lock:
            server, self._server = self._server, None
            if server is not None:
                self.path.unlink(missing_ok=True)
                server.stop(0).wait()
