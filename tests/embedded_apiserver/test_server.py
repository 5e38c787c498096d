"""The server comes up fast and goes down without leaving anything."""

import socket
import threading
import time
from pathlib import Path

import pytest

from conformance.cluster.api import BadRequest
from conformance.cluster.embedded.apiserver import ApiServer, Store
from conformance.history import History
from tests.embedded_apiserver.objects import a_pod


def port_of(server: ApiServer) -> int:
    return int(server.url.rpartition(":")[2])


def test_nothing_is_left_of_a_stopped_server(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    server = ApiServer(tmp_path, History())
    server.start()
    server.stop()
    server.stop()
    assert set(threading.enumerate()) <= before
    with socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect(("127.0.0.1", port_of(server)))


def test_open_watches_do_not_hold_it_up(tmp_path: Path) -> None:
    server, stop = ApiServer(tmp_path, History()), threading.Event()
    server.start()
    changes = server.api().watch("namespaces", stop=stop)
    next(changes)
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 1
    stop.set()
    changes.close()


def test_who_connects_and_does_not_say_a_word_is_cut_off(tmp_path: Path) -> None:
    server = ApiServer(tmp_path, History())
    server.start()
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=30) as client:
        assert server.api().get("namespaces", "default")  # so the connection before it was accepted, too
        connections = list(getattr(server._loop, "_transports").values())  # noqa: B009
        server.stop()
        assert client.recv(1) == b""
    assert len(connections) >= 2
    assert {connection.get_extra_info("socket").fileno() for connection in connections} == {-1}, "closed"


def test_it_comes_back_under_its_address(own_server: ApiServer) -> None:
    port, token = port_of(own_server), own_server.access("driver").token
    with own_server.away():
        own_server.store.create("nodes", {"metadata": {"name": "n"}})
    assert port_of(own_server) == port
    assert own_server.access("driver").token == token
    assert own_server.api("driver").get("nodes", "n")


def test_users_and_nodes_have_tokens_of_their_own(own_server: ApiServer) -> None:
    tokens = {own_server.access(user, node).token for user, node in (("driver", "a"), ("driver", "b"), ("kubelet", ""))}
    assert len(tokens) == 3


def test_labels_are_texts_for_every_kind(store: Store) -> None:
    pod = a_pod()
    pod["metadata"]["labels"] = {"a": True}
    with pytest.raises(BadRequest, match=r"cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels"):
        store.create("pods", pod)
