"""A server with a few methods, in this process."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest

from reference_driver.plugin.rpc import Server, Workers


@dataclass
class Serving:
    """A server that listens at `path`. `given_up`: set when a call that waits is no longer wanted."""

    path: Path
    server: Server = field(default_factory=lambda: Server(Workers(4, "w")))
    given_up: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def service(self, call: Any) -> Any:
        """What answers a method, as a grpc.GenericRpcHandler."""
        methods = {
            "/t.T/Echo": grpc.unary_unary_rpc_method_handler(lambda request, _: request),
            "/t.T/Wait": grpc.unary_unary_rpc_method_handler(self._wait),
            "/t.T/Count": grpc.unary_stream_rpc_method_handler(
                lambda request, _: (b"%d" % n for n in range(int(request)))
            ),
            "/t.T/Watch": grpc.unary_stream_rpc_method_handler(self._watch),
            "/t.T/Refuse": grpc.unary_unary_rpc_method_handler(
                lambda request, context: context.abort(grpc.StatusCode.FAILED_PRECONDITION, request.decode())
            ),
            "/t.T/Break": grpc.unary_unary_rpc_method_handler(lambda *_: 1 // 0),
            "/t.T/Left": grpc.unary_unary_rpc_method_handler(lambda _, context: str(context.time_remaining()).encode()),
        }
        return methods.get(call.method)

    def _wait(self, request: bytes, context: Any) -> bytes:
        context.add_callback(self.given_up.set)
        self.waiting.set()
        assert self.go_on.wait(60)
        return request

    def _watch(self, _: bytes, context: Any) -> Iterator[bytes]:
        context.add_callback(self.given_up.set)
        yield b"first"
        while context.is_active():
            yield b"more"
            time.sleep(0.01)


@pytest.fixture
def serving(root: Path) -> Iterator[Serving]:
    """A server that has started."""
    made = Serving(root / "s.sock")
    made.server.add_generic_rpc_handlers([made])
    made.server.add_insecure_port(f"unix:{made.path}")
    made.server.start()
    yield made
    made.go_on.set()
    assert made.server.stop(None).wait(30)


@pytest.fixture
def channel(serving: Serving) -> Iterator[grpc.Channel]:
    """A connection of grpc's own client."""
    options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    with grpc.insecure_channel(f"unix:{serving.path}", options=options) as made:
        yield made
