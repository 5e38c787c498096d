"""gRPC channels over unix sockets, with paths of any length and nothing taken from proxy variables."""

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import grpc

_LONGEST = 107  # bytes of a path in sockaddr_un, without the final zero
_UNRESERVED = "-._~!$&'()*+,;=:[]@"  # what grpc-go leaves as it is in an authority


@contextmanager
def connected(path: Path) -> Iterator[socket.socket]:
    """A bare connection to a unix socket, whatever the length of its path. Raises OSError."""
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"/proc/self/fd/{folder}/{path.name}")
            yield connection
    finally:
        os.close(folder)


class Dialled:
    """A channel to a unix socket, also as a context manager; `close` frees what a long path needed."""

    def __init__(self, path: Path, options: Sequence[tuple[str, Any]] = ()) -> None:
        self._folder = -1
        target = str(path)
        if len(os.fsencode(path)) > _LONGEST:
            self._folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            target = f"/proc/self/fd/{self._folder}/{path.name}"
        fixed = (("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1))
        self.channel: grpc.Channel = grpc.insecure_channel(f"unix:{target}", (*fixed, *options))

    def __enter__(self) -> grpc.Channel:
        return self.channel

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection and all calls on it."""
        self.channel.close()
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1


class Bound:
    """The address of a gRPC server on a unix socket with a path of any length; raises OSError, RuntimeError.

    `close` it when the server has stopped, not before: gRPC removes the file then by the address that it was bound to,
    and in the place of a descriptor that was closed there may be one of another folder, with a driver's socket in it.
    """

    def __init__(self, server: grpc.Server, path: Path) -> None:
        self._folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            server.add_insecure_port(f"unix:/proc/self/fd/{self._folder}/{path.name}")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Free the descriptor."""
        os.close(self._folder)


def registration_authority(path: Path) -> str:
    """The `:authority` that the kubelet's registration calls carry: it dials the raw path, which is percent-encoded."""
    return quote(str(path), safe=_UNRESERVED)


def backoff_options(first: float, most: float) -> tuple[tuple[str, int], ...]:
    """Channel options for the delays between attempts to connect, in seconds."""
    milliseconds = int(first * 1000)
    return (
        ("grpc.initial_reconnect_backoff_ms", milliseconds),
        ("grpc.min_reconnect_backoff_ms", milliseconds),
        ("grpc.max_reconnect_backoff_ms", int(most * 1000)),
    )
