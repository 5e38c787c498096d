"""The client's watch: complete, over broken connections too, and over as soon as it is told."""

import threading
import time
from collections.abc import Callable, Iterator
from queue import Queue

import pytest

from conformance.cluster.api import Api, BadRequest
from conformance.cluster.embedded.apiserver import ApiServer
from tests.embedded_apiserver.objects import Object, a_slice

Seen = Queue[tuple[str, str]]


@pytest.fixture
def watch(own_server: ApiServer) -> Iterator[Callable[[], Seen]]:
    """Starts a thread that watches slices; returns where what it sees comes in."""
    stop, threads = threading.Event(), list[threading.Thread]()

    def start() -> Seen:
        seen: Seen = Queue()

        def run() -> None:
            for kind, obj in own_server.api("kubelet").watch("resourceslices", stop=stop):
                seen.put((kind, obj["metadata"]["name"]))

        threads.append(threading.Thread(target=run))
        threads[-1].start()
        return seen

    yield start
    stop.set()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_what_is_there_and_then_every_change(own_server: ApiServer, watch: Callable[[], Seen]) -> None:
    own_server.store.create("resourceslices", a_slice("first"))
    seen = watch()
    assert seen.get(timeout=5) == ("ADDED", "first")
    own_server.store.modify("resourceslices", "first", None, lambda obj: obj["spec"].update(devices=[]))
    own_server.store.delete("resourceslices", "first")
    assert [seen.get(timeout=5), seen.get(timeout=5)] == [("MODIFIED", "first"), ("DELETED", "first")]


def test_nothing_is_missed_while_the_server_is_away(own_server: ApiServer, watch: Callable[[], Seen]) -> None:
    own_server.store.create("resourceslices", a_slice("before"))
    seen = watch()
    assert seen.get(timeout=5) == ("ADDED", "before")
    with own_server.away():
        own_server.store.create("resourceslices", a_slice("meanwhile"))
        own_server.store.delete("resourceslices", "before")
    assert [seen.get(timeout=5), seen.get(timeout=5)] == [("ADDED", "meanwhile"), ("DELETED", "before")]


def test_deletions_that_the_server_forgot_are_found(own_server: ApiServer, watch: Callable[[], Seen]) -> None:
    for name in ("kept", "lost"):
        own_server.store.create("resourceslices", a_slice(name))
    seen = watch()
    assert {seen.get(timeout=5), seen.get(timeout=5)} == {("ADDED", "kept"), ("ADDED", "lost")}
    with own_server.away():
        own_server.store.delete("resourceslices", "lost")
        own_server.store.expire("resourceslices")
    assert [seen.get(timeout=5), seen.get(timeout=5)] == [("MODIFIED", "kept"), ("DELETED", "lost")]


def test_it_ends_when_told(api: Api) -> None:
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    rows: list[tuple[str, Object]] = list(api.watch("leases", stop=stop))
    assert rows == []
    assert time.monotonic() - began < 1


def test_a_refused_watch_says_why(api: Api) -> None:
    with pytest.raises(BadRequest, match=r'"spec\.colour" is not a known field selector'):
        next(api.watch("leases", field_selector="spec.colour=red", stop=threading.Event()))
