"""Listens on a unix socket and has calls answered."""

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import grpc

from .call import MAX_REQUEST, PREFIX, Call
from .connection import Connection, Stream
from .workers import Workers

_BACKLOG = 128  # connections that wait to be accepted


class _Details(NamedTuple):
    """grpc.HandlerCallDetails, for handlers that look a method up."""

    method: str
    invocation_metadata: Sequence[tuple[str, str]] = ()


class Server:
    """What of grpc.Server generated code and plugins use, with the same names. Calls go to the `workers`."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._generic: list[Any] = []
        self._handlers: dict[str, Any] = {}  # by method, as they were found
        self._guard = threading.Condition()  # of the fields below
        self._connections: set[Connection] = set()
        self._calls = 0
        self._stopped = False

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        """Serve what these grpc.GenericRpcHandlers know."""
        self._generic.extend(handlers)

    def add_registered_method_handlers(self, service: str, handlers: Any) -> None:
        """The same handlers again, which generated code adds for grpc's own core."""

    def add_insecure_port(self, address: str) -> None:
        """Listen on `unix:PATH`; nothing is answered before `start`. Raises OSError."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(address.removeprefix("unix:"))
            listener.listen(_BACKLOG)
        except OSError:
            listener.close()
            raise
        self._listener = listener

    def start(self) -> None:
        """Answer calls."""
        threading.Thread(target=self._accept, name="gRPC listens", daemon=True).start()

    def stop(self, grace: float | None) -> threading.Event:
        """Take no more calls, give those at work `grace` seconds, then end all; the event says that it is done."""
        with self._guard:
            self._stopped = True
            connections = list(self._connections)
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts
        self._listener.close()
        for connection in connections:
            connection.refuse()
        done = threading.Event()
        threading.Thread(target=self._drain, args=(connections, grace or 0.0, done), daemon=True).start()
        return done

    def _drain(self, connections: Sequence[Connection], grace: float, done: threading.Event) -> None:
        with self._guard:
            self._guard.wait_for(lambda: not self._calls, grace)
        for connection in connections:
            connection.close()
        done.set()

    def _accept(self) -> None:
        with suppress(OSError):  # no more is accepted
            while True:
                accepted, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(accepted,), name="gRPC reads", daemon=True).start()

    def _serve(self, accepted: socket.socket) -> None:
        on_request: Callable[[Stream], None] = lambda stream: self._answer(connection, stream)  # noqa: E731
        connection = Connection(accepted, on_request, PREFIX + MAX_REQUEST)
        with self._guard:
            if self._stopped:
                accepted.close()
                return
            self._connections.add(connection)
        try:
            connection.serve()
        finally:
            with self._guard:
                self._connections.discard(connection)

    def _answer(self, connection: Connection, stream: Stream) -> None:
        call = Call(connection, stream)
        handler = self._handlers.get(call.method) or self._find(call.method)
        if not handler:
            call.refuse(grpc.StatusCode.UNIMPLEMENTED, f"there is no method {call.method}")
            return
        with self._guard:
            self._calls += 1
        self._workers.submit(partial(self._work, call, handler))

    def _work(self, call: Call, handler: Any) -> None:
        try:
            call.run(handler)
        finally:
            with self._guard:
                self._calls -= 1
                self._guard.notify_all()

    def _find(self, method: str) -> Any:
        found = (handler.service(_Details(method)) for handler in self._generic)
        handler = next(filter(None, found), None)
        if handler:
            self._handlers[method] = handler
        return handler
