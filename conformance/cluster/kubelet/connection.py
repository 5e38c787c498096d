"""Whether a channel is connected, and keeping it so.

`grpc.Channel.subscribe` would do, but its thread raises when the channel is closed meanwhile, and it asks for a new
connection late. So the calls beneath it are made here, in a thread that ends with the channel.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

import grpc

_READY: int = grpc.ChannelConnectivity.READY.value[0]
_SHUTDOWN: int = grpc.ChannelConnectivity.SHUTDOWN.value[0]
_SLICE = 0.05  # seconds; closing a channel waits for the end of one


def wait_ready(channel: grpc.Channel, timeout: float, stopping: threading.Event) -> bool:
    """Connect, for at most `timeout` seconds or until `stopping` is set; whether it is connected."""
    deadline = time.monotonic() + timeout
    core: Any = channel._channel
    state = core.check_connectivity_state(True)
    while state != _READY and time.monotonic() < deadline and not stopping.is_set():
        core.watch_connectivity_state(state, time.time() + _SLICE)
        state = core.check_connectivity_state(True)
    return bool(state == _READY)


class ConnectionWatch:
    """Keeps a channel connected, and tells `changed` whenever it becomes connected or loses its connection."""

    def __init__(self, channel: grpc.Channel, name: str, changed: Callable[[bool], None]) -> None:
        self._core: Any = channel._channel
        self._changed = changed
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"connection {name}", daemon=True)

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def closing(self) -> None:
        """The channel is about to be closed: tell nothing any more."""
        self._closing.set()

    def join(self) -> None:
        """Wait for the end of the thread, after the channel was closed; in the thread itself return at once."""
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        state, ready = self._check(), False
        while not self._closing.is_set() and state != _SHUTDOWN:
            if (state == _READY) != ready:
                ready = not ready
                self._changed(ready)
            try:
                self._core.watch_connectivity_state(state, time.time() + _SLICE)
            except ValueError:  # closed
                return
            state = self._check()

    def _check(self) -> int:
        # Asking in this way makes an idle channel connect: gRPC does not do so by itself after a connection has ended.
        try:
            return int(self._core.check_connectivity_state(True))
        except ValueError:
            return _SHUTDOWN
