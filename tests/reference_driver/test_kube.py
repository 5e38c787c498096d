"""The REST client: what a failure is called, and what it does not take from the environment."""

from collections.abc import Iterator

import pytest

from reference_driver.plugin import ClaimReader, ClaimRef, KubeClient, KubeError, NotFound
from reference_driver.plugin.credentials import Credentials

from .fake_api import FakeApi, fake_api


@pytest.fixture
def client(api: FakeApi) -> KubeClient:
    return KubeClient(Credentials(api.url))


@pytest.fixture
def bare_api() -> Iterator[FakeApi]:
    with fake_api(versions=()) as api:
        yield api


def test_proxies_of_the_environment_are_left_aside(monkeypatch: pytest.MonkeyPatch, api: FakeApi) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert KubeClient(Credentials(api.url)).get("/api/v1/nodes/node-a")["metadata"]["name"] == "node-a"


def test_an_error_says_which_request_and_why(client: KubeClient) -> None:
    with pytest.raises(NotFound, match="GET /api/v1/nodes/node-b: made-up failure 404"):
        client.get("/api/v1/nodes/node-b")


def test_a_broken_connection_is_tried_once_more_for_reads_only(client: KubeClient, api: FakeApi) -> None:
    api.failures.append(0)
    assert client.get("/api/v1/nodes/node-a")
    api.failures.append(0)
    with pytest.raises(KubeError) as caught:
        client.create("/api/v1/nodes", {"metadata": {"name": "node-b"}})
    assert caught.value.status == 0


def test_a_server_without_the_api_does_not_make_claims_disappear(bare_api: FakeApi) -> None:
    """Otherwise all that is prepared would be reclaimed."""
    reader = ClaimReader(KubeClient(Credentials(bare_api.url)), "gpu.example.com")
    for failures in ([], [404]):
        bare_api.failures.extend(failures)
        with pytest.raises(KubeError, match="serves resource"):
            reader.in_use(ClaimRef("default", "c", "uid"))


def test_a_watch_that_is_closed_ends(client: KubeClient) -> None:
    watch = client.watch("/api/v1/nodes", "0")
    events = iter(watch)
    assert next(events)[1]["metadata"]["name"] == "node-a"
    watch.close()
    assert list(events) == []
