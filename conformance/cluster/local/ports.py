"""Free ports of 127.0.0.1 that stay ours until a child process listens on them."""

import socket
from collections.abc import Sequence


class HeldPorts:
    """Ports that are bound, but not listened on, until `close`: nobody else is given them meanwhile.

    A program can listen on one when it sets SO_REUSEPORT, as Kubernetes' programs do with --permit-port-sharing.
    """

    def __init__(self, count: int) -> None:
        self._sockets = [_bound() for _ in range(count)]

    @property
    def numbers(self) -> Sequence[int]:
        """The ports, each time in the same order."""
        return [int(held.getsockname()[1]) for held in self._sockets]

    def close(self) -> None:
        """Let go of them. May be called twice."""
        for held in self._sockets:
            held.close()


def _bound() -> socket.socket:
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind(("127.0.0.1", 0))
    return held
