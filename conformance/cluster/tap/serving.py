"""gRPC servers on unix sockets with paths of any length."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from conformance.cluster.kubelet.sockets import Bound

_WORKERS = 16


class SocketServer:
    """A gRPC server on one socket, started and stopped as often as needed; `add` puts the services on each new one."""

    def __init__(self, path: Path, add: Callable[[Any], None]) -> None:
        self.path = path
        self._add = add
        self._running: tuple[Any, Bound] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Listen, if it does not yet. Raises OSError, RuntimeError."""
        with self._lock:
            if self._running:
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.unlink(missing_ok=True)
            server: Any = grpc.server(ThreadPoolExecutor(_WORKERS, thread_name_prefix=f"tap {self.path.name}"))
            self._add(server)
            bound = Bound(server, self.path)
            server.start()
            self._running = server, bound

    def stop(self) -> None:
        """End all connections and remove the socket. May be called twice."""
        with self._lock:
            running, self._running = self._running, None
            if running:
                server, bound = running
                self.path.unlink(missing_ok=True)
                server.stop(0).wait()
                bound.close()
