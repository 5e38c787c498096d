"""What the kubelet's registration calls say as :authority, read off the wire.

grpc-go makes it of the raw path that it dials, percent-encoded but for the characters that RFC 3986 lets stand in an
authority (encodeAuthority of clientconn.go).
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance.cluster.kubelet.direct import DirectCalls
from conformance.cluster.kubelet.rpc import Caller, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.history import History

_SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
_AUTHORITY = b":authority"


class Wire:
    """Listens as an HTTP/2 server that answers nothing, and keeps what one client sends."""

    def __init__(self, path: Path) -> None:
        self.received = b""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def authority(self) -> str:
        """The :authority of the call, once its connection has ended."""
        self._thread.join(5.0)
        rest = self.received.partition(_AUTHORITY)[2]
        return rest[1 : 1 + rest[0]].decode()  # a text in HPACK: its length, then its bytes

    def close(self) -> None:
        """Listen no more."""
        self._listener.close()

    def _read(self) -> None:
        connection, _ = self._listener.accept()
        with connection:
            connection.sendall(_SETTINGS)
            while part := connection.recv(65536):
                self.received += part


@contextmanager
def wire(path: Path) -> Iterator[Wire]:
    made = Wire(path)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize(
    ("given", "name", "encoded"),
    [
        ("", "gpu.example.com-reg.sock", "gpu.example.com-reg.sock"),
        ("", "a+b~c@d!.sock", "a+b~c@d!.sock"),
        ("", "a b.sock", "a%20b.sock"),
        ("localhost", "any.sock", ""),
    ],
)
def test_it_is_the_percent_encoded_path(given: str, name: str, encoded: str, tmp_path: Path) -> None:
    calls = DirectCalls(Caller("node-a", History()), KubeletSettings())
    path = tmp_path / name
    with wire(path) as listening, pytest.raises(RpcFailed):
        calls.get_info(path, timeout=0.3, authority=given)
    folder = str(tmp_path).replace("/", "%2F")
    assert listening.authority() == (given or f"{folder}%2F{encoded}")
