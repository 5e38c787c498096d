"""Sockets that the harness serves: what happens to files that are not its own."""

import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from conformance.cluster.kubelet.sockets import Bound
from conformance.cluster.tap.serving import SocketServer


def tapped(path: Path) -> Callable[[], None]:
    """Serve as the tap does; the function that ends it."""
    server = SocketServer(path, lambda _server: None)
    server.start()
    return server.stop


def bare(path: Path) -> Callable[[], None]:
    """Serve as the kubelet's other services do; the function that ends it."""
    server = grpc.server(ThreadPoolExecutor(1))
    bound = Bound(server, path)
    server.start()

    def stop() -> None:
        server.stop(None).wait()
        bound.close()

    return stop


@pytest.mark.parametrize("serve", [tapped, bare])
def test_a_server_that_ends_removes_its_own_socket_and_no_other(
    serve: Callable[[Path], Callable[[], None]], tmp_path: Path
) -> None:
    ours, drivers = tmp_path / "ours", tmp_path / "drivers"
    ours.mkdir()
    drivers.mkdir()
    stop = serve(ours / "reg.sock")
    # Whatever number of a descriptor the server used while it was bound and has given back, is this folder's now.
    opened = [os.open(drivers, os.O_PATH | os.O_DIRECTORY) for _ in range(64)]
    with socket.socket(socket.AF_UNIX) as driver:
        driver.bind(str(drivers / "reg.sock"))
        stop()
    for number in opened:
        os.close(number)
    assert (drivers / "reg.sock").exists()
    assert not (ours / "reg.sock").exists()
