"""Names of sockets, which have to fit into 107 bytes, and what happens to what lies there."""

import os
import socket
from pathlib import Path

import pytest

from reference_driver.plugin import PluginError
from reference_driver.plugin.sockets import MAX_PATH, SocketServer, dra_socket, registration_socket

REGISTRY = Path("/var/lib/kubelet/plugins_registry")
UID = "0b9ba8b3-5d0e-4d0c-9e7a-2d4b2b7a5b1e"


def test_names_of_a_single_instance() -> None:
    assert registration_socket(REGISTRY, "gpu.example.com", "") == REGISTRY / "gpu.example.com-reg.sock"
    assert dra_socket(Path("/p"), "") == Path("/p/dra.sock")


def test_names_for_a_rolling_update_get_shorter_as_needed() -> None:
    names = [registration_socket(REGISTRY, "d" * length, UID).name for length in (20, 40, 60)]
    assert names[0] == f"{'d' * 20}-{UID}-reg.sock"
    assert names[1].startswith("d" * 40 + "-")
    assert names[2].startswith("dra-")
    assert all(len(os.fsencode(REGISTRY / name)) <= MAX_PATH for name in names)
    assert registration_socket(REGISTRY, "d" * 60, "other").name != names[2]
    assert dra_socket(Path("/p"), UID) == Path(f"/p/dra-{UID}.sock")


def test_a_path_that_is_too_long_is_refused() -> None:
    with pytest.raises(PluginError, match="longer than 107 bytes"):
        dra_socket(Path("/" + "p" * 100), "")


def test_a_stale_socket_is_replaced_and_removed_at_the_end(root: Path) -> None:
    path, neighbour = root / "own.sock", root / "neighbour.sock"
    for name in (path, neighbour):
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(name))
    server = SocketServer(path, workers=1)
    server.start()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    server.stop()
    assert not path.exists()
    assert neighbour.exists()


def test_a_folder_in_the_way_is_named(root: Path) -> None:
    (root / "own.sock").mkdir()
    with pytest.raises(PluginError, match=r"own\.sock"):
        SocketServer(root / "own.sock", workers=1).start()
