"""The proxy between a driver and the API server: what it passes on, and what it does to it."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import urllib3
from kubernetes import client, config

from conformance.cluster.api import Api, ApiError, NotFound
from conformance.cluster.apirules import Refusal, Rule
from conformance.cluster.embedded.apiserver import ApiServer
from conformance.cluster.kubeconfig import read_kubeconfig
from conformance.cluster.local.apiproxy import ApiProxy
from conformance.cluster.wait import wait_for
from conformance.history import History

SLICES = "/resourceslices"


def a_slice(name: str, count: int = 1) -> dict[str, Any]:
    pool = {"name": "pool", "generation": 1, "resourceSliceCount": count}
    return {"metadata": {"name": name}, "spec": {"driver": "d.example.com", "allNodes": True, "pool": pool}}


def count_of(obj: dict[str, Any]) -> int:
    return int(obj["spec"]["pool"]["resourceSliceCount"])


def one_more(obj: dict[str, Any]) -> dict[str, Any]:
    obj["spec"]["pool"]["resourceSliceCount"] += 1
    return obj


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ApiServer]:
    server = ApiServer(tmp_path / "server", History())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def proxy(server: ApiServer, tmp_path: Path) -> Iterator[ApiProxy]:
    with ApiProxy(server.access("driver"), tmp_path / "proxy") as proxy:
        yield proxy


@pytest.fixture
def api(proxy: ApiProxy, tmp_path: Path) -> Iterator[Api]:
    """A client that goes through the proxy, as a driver does."""
    api = Api.from_kubeconfig(proxy.write_kubeconfig(tmp_path / "kubeconfig"))
    yield api
    api.close()


def test_without_rules_all_is_passed_on(server: ApiServer, api: Api) -> None:
    made = api.create("resourceslices", a_slice("a"))
    assert api.get("resourceslices", "a") == server.api().get("resourceslices", "a") == made
    with pytest.raises(NotFound, match='"b" not found'):
        api.get("resourceslices", "b")
    api.delete("resourceslices", "a")
    assert server.api().list("resourceslices")["items"] == []


def test_the_token_is_passed_on(server: ApiServer, proxy: ApiProxy, api: Api, tmp_path: Path) -> None:
    assert read_kubeconfig(tmp_path / "kubeconfig").token == server.access("driver").token
    assert api.create("resourceslices", a_slice("a"))["metadata"]["managedFields"]
    path = proxy.write_kubeconfig(tmp_path / "other")
    path.write_text(path.read_text().replace(str(server.access("driver").token), "nobody"), encoding="utf-8")
    with pytest.raises(ApiError, match="Unauthorized"):
        Api.from_kubeconfig(path).list("resourceslices")


@pytest.mark.parametrize("status", [409, 429, 500])
def test_refuses_as_often_as_told(proxy: ApiProxy, api: Api, status: int) -> None:
    rule = Rule(("POST",), SLICES, times=1, refusal=Refusal(status, "not now", retry_after=0))
    with proxy.rule(rule):
        with pytest.raises(ApiError, match="not now"):
            api.create("resourceslices", a_slice("a"))
        assert api.list("resourceslices")["items"] == []
        api.create("resourceslices", a_slice("a"))
    assert [used.partition("?")[0] for used in rule.used] == ["POST /apis/resource.k8s.io/v1/resourceslices"]


def test_a_lost_request_never_arrives_and_a_lost_answer_has_its_effect(proxy: ApiProxy, api: Api) -> None:
    with proxy.rule(Rule(("POST",), lose_request=True)), pytest.raises(ApiError):
        api.create("resourceslices", a_slice("lost"))
    with proxy.rule(Rule(("POST",), lose_answer=True)), pytest.raises(ApiError):
        api.create("resourceslices", a_slice("there"))
    assert [found["metadata"]["name"] for found in api.list("resourceslices")["items"]] == ["there"]


def test_delays(proxy: ApiProxy, api: Api) -> None:
    with proxy.rule(Rule(("GET",), "/namespaces", delay=0.3)):
        began = time.monotonic()
        api.list("namespaces")
    assert time.monotonic() - began >= 0.3


def test_changes_what_is_sent_and_what_comes_back(server: ApiServer, proxy: ApiProxy, api: Api) -> None:
    def one_less(obj: dict[str, Any]) -> dict[str, Any]:
        obj["spec"]["pool"]["resourceSliceCount"] -= 1
        return obj

    with (
        proxy.rule(Rule(("POST", "PUT"), SLICES, change_request=one_more)),
        proxy.rule(Rule((), SLICES, change_answer=one_less)),
    ):
        assert count_of(api.create("resourceslices", a_slice("a"))) == 1
        assert [count_of(found) for found in api.list("resourceslices")["items"]] == [1]
        assert count_of(server.api().get("resourceslices", "a")) == 2


def test_a_watch_streams_and_is_changed_too(server: ApiServer, proxy: ApiProxy, api: Api) -> None:
    stop = threading.Event()
    with proxy.rule(Rule(("GET",), SLICES, change_answer=one_more)):
        events = api.watch("resourceslices", stop=stop)
        for name in ("b", "c"):
            server.api().create("resourceslices", a_slice(name))
            kind, found = next(events)
            assert (kind, found["metadata"]["name"], count_of(found)) == ("ADDED", name, 2)
    stop.set()


def test_away_ends_watches_and_refuses_connections(server: ApiServer, proxy: ApiProxy, api: Api) -> None:
    server.api().create("resourceslices", a_slice("a"))
    stop = threading.Event()
    seen: list[str] = []
    watches = Rule(("GET",), "watch=")

    def follow() -> None:
        seen.extend(found["metadata"]["name"] for _, found in api.watch("resourceslices", stop=stop))

    thread = threading.Thread(target=follow)
    with proxy.rule(watches):
        thread.start()
        wait_for(lambda: watches.used, "the watch to begin", timeout=5)
        with proxy.away():
            with pytest.raises(ApiError):
                api.list("resourceslices")
            server.api().create("resourceslices", a_slice("b"))
        wait_for(lambda: len(watches.used) > 1, "the watch to begin again", timeout=5)
        wait_for(lambda: seen == ["a", "b"], "the other slice", timeout=5)
    stop.set()
    proxy.cut()
    thread.join()


def test_a_watch_that_the_client_leaves_ends_at_the_server(proxy: ApiProxy, tmp_path: Path) -> None:
    def streams() -> int:
        return sum(thread.name == "apiproxy client" for thread in threading.enumerate())

    access = read_kubeconfig(proxy.write_kubeconfig(tmp_path / "kc"))
    pool = urllib3.PoolManager(ssl_context=access.ssl_context())
    url, headers = f"{proxy.url}/api/v1/namespaces?watch=true", {"Authorization": f"Bearer {access.token}"}
    response = pool.request("GET", url, headers=headers, preload_content=False)
    events = response.stream()  # urllib3 ends the connection with this generator, so it is kept
    next(events)
    assert streams() == 1
    response.close()
    wait_for(lambda: streams() == 0, "the stream to end", timeout=5)


def test_the_official_client_goes_through(server: ApiServer, proxy: ApiProxy, tmp_path: Path) -> None:
    make: Any = config.new_client_from_config
    stranger = make(str(proxy.write_kubeconfig(tmp_path / "kc")))
    assert client.CoreV1Api(stranger).list_namespace().items


def test_refusals_are_objects_that_clients_understand() -> None:
    body = json.loads(json.dumps(Refusal(429, retry_after=3).body()))
    assert (body["kind"], body["code"], body["reason"]) == ("Status", 429, "TooManyRequests")
