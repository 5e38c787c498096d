"""CDI folders and sockets of a node, seen through an agent on it."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.existing.link import Link
from conformance.cluster.existing.mirror import MirroredCdi, MirroredSockets
from conformance.cluster.kubelet.sockets import connected
from conformance.cluster.wait import wait_for
from tests.existing.local_agent import local_agent


@pytest.fixture(scope="module")
def link() -> Iterator[Link]:
    link, _ = local_agent()
    yield link
    link.close()


def spec(device: str) -> str:
    edits = {"env": ["GPU=1"]}
    return json.dumps(
        {"cdiVersion": "0.6.0", "kind": "example.com/gpu", "devices": [{"name": device, "containerEdits": edits}]}
    )


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    return tmp_path / "node" / "etc" / "cdi"


@pytest.fixture
def cdi(link: Link, etc: Path, tmp_path: Path) -> MirroredCdi:
    run = tmp_path / "node" / "run" / "cdi"
    run.mkdir(parents=True)
    here = tmp_path / "here"
    return MirroredCdi({str(etc): here / "etc" / "cdi", str(run): here / "run" / "cdi"}, lambda: link)


def test_a_folder_that_is_not_there_is_empty(cdi: MirroredCdi) -> None:
    assert cdi.devices() == {}
    assert cdi.errors() == {}


def test_every_question_sees_the_node_as_it_is_now(cdi: MirroredCdi, etc: Path) -> None:
    etc.mkdir(parents=True)
    (etc / "a.json").write_text(spec("one"))
    assert list(cdi.devices()) == ["example.com/gpu=one"]
    (etc / "a.json").write_text(spec("two"))
    assert list(cdi.devices()) == ["example.com/gpu=two"]
    (etc / "b.json").write_text("{")
    assert [path.name for path in cdi.errors()] == ["b.json"]
    (etc / "a.json").unlink()
    (etc / "b.json").unlink()
    assert cdi.snapshot() == {}
    etc.rmdir()
    assert cdi.snapshot() == {}


def test_links_and_folders_are_seen_for_what_they_are(cdi: MirroredCdi, etc: Path, tmp_path: Path) -> None:
    etc.mkdir(parents=True)
    (etc / "folder.json").mkdir()
    (tmp_path / "elsewhere").write_text(spec("linked"))
    (etc / "good.json").symlink_to(tmp_path / "elsewhere")
    (etc / "dangling.json").symlink_to("nowhere")
    assert list(cdi.devices()) == ["example.com/gpu=linked"]
    assert cdi.errors() == {}
    (etc / "tofolder.json").symlink_to(tmp_path)
    assert [path.name for path in cdi.errors()] == ["tofolder.json"]


class Echo:
    """Somebody who listens on a socket of the node and says everything twice."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(path))
        self.server.listen()
        self.ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            while data := connection.recv(1 << 20):
                connection.sendall(data + data)
            connection.close()
            self.ended.set()

    def close(self) -> None:
        self.path.unlink(missing_ok=True)
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()


@pytest.fixture
def sockets(link: Link, tmp_path: Path) -> Iterator[MirroredSockets]:
    registry = tmp_path / "registry"
    registry.mkdir()
    sockets = MirroredSockets(tmp_path / "here", str(registry), lambda: link)
    yield sockets
    sockets.stop()


def say(path: Path, text: bytes) -> bytes:
    with connected(path) as connection:
        connection.sendall(text)
        got = b""
        while len(got) < 2 * len(text) and (data := connection.recv(1 << 20)):
            got += data
        return got


def test_a_connection_goes_through_to_the_node(sockets: MirroredSockets, tmp_path: Path) -> None:
    echo = Echo(tmp_path / "registry" / "driver.sock")
    sockets.start()
    local = sockets.local(str(echo.path))
    assert say(local, b"x" * 300_000) == b"x" * 600_000
    assert echo.ended.wait(10), "the node's end is closed when ours is"
    assert sockets.pid(str(echo.path)) == os.getpid()
    echo.close()


def test_sockets_come_and_go_with_those_of_the_node(sockets: MirroredSockets, tmp_path: Path) -> None:
    sockets.start()
    path = tmp_path / "registry" / "sub" / "driver.sock"
    local = sockets.local(str(path))
    assert not local.exists()
    echo = Echo(path)
    wait_for(local.is_socket, "the socket to appear", timeout=10)
    first = local.stat().st_mtime_ns
    echo.close()
    echo = Echo(path)
    wait_for(lambda: local.is_socket() and local.stat().st_mtime_ns != first, "a new socket in its place", timeout=10)
    assert say(local, b"again") == b"againagain"
    echo.close()
    wait_for(lambda: not local.exists(), "the socket to be gone", timeout=10)


def test_a_socket_elsewhere_is_reached_when_asked_for(sockets: MirroredSockets, tmp_path: Path) -> None:
    long = tmp_path / ("a" * 60) / ("b" * 60)
    local = sockets.reach(str(long / "dra.sock"))
    with pytest.raises(ConnectionError):
        say(local, b"nobody listens yet")
    long.mkdir(parents=True)
    handle = os.open(long, os.O_PATH)
    echo = Echo(Path(f"/proc/self/fd/{handle}/dra.sock"))
    assert say(sockets.reach(str(long / "dra.sock")), b"now") == b"nownow"
    echo.close()
    os.close(handle)


def test_the_driver_ends_its_connection(sockets: MirroredSockets, tmp_path: Path) -> None:
    path = tmp_path / "short.sock"
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()
    with connected(sockets.reach(str(path))) as connection:
        other, _ = server.accept()
        other.close()
        assert connection.recv(1) == b""
    server.close()
