"""Health of devices: the stream, what is known of it, and what pods show."""

from typing import Any

import grpc
import pytest

from conformance.cluster.wait import wait_for

from .fake_plugin import FakePlugin
from .world import DRIVER, World

BOTH = ["v1.DRAPlugin", "v1alpha1.DRAResourceHealth", "v1.DRAResourceHealth"]


def device(name: str = "gpu-0", health: str = "HEALTHY", **more: Any) -> dict[str, Any]:
    return {"device": {"pool_name": "node-a", "device_name": name}, "health": health, **more}


def started(world: World, versions: list[str]) -> FakePlugin:
    plugin = world.plugin(supported_versions=versions)
    world.kubelet.wait_registered(DRIVER)
    return plugin


def message(world: World, count: int) -> None:
    """Wait for so many messages of the stream."""
    since = 0
    for _ in range(count):
        event = world.history.wait("rpc", lambda e: e["phase"] == "message", since=since, timeout=5)
        assert event is not None
        since = event.seq + 1


def known(world: World) -> dict[str, tuple[str, str]]:
    return {name: (h.status, h.message) for (_, name), h in world.kubelet.health(DRIVER).items()}


def test_reports_may_be_partial(world: World) -> None:
    plugin = started(world, BOTH)
    plugin.health.put([device(), device("gpu-1", "UNHEALTHY", message="hot")])
    plugin.health.put([device("gpu-1")])
    message(world, 2)
    wait_for(lambda: known(world) == {"gpu-0": ("Healthy", ""), "gpu-1": ("Healthy", "")}, "both", timeout=5)
    [call] = world.history.events("rpc", lambda e: e["method"] == "NodeWatchResources" and e["phase"] == "start")
    assert call["version"] == "v1.DRAResourceHealth", "the kubelet's order counts, not the plugin's"


def test_the_end_of_the_stream_clears_and_it_is_opened_again(world: World) -> None:
    plugin = started(world, BOTH[:2])
    plugin.health.put([device()])
    wait_for(lambda: known(world), "a report", timeout=5)
    plugin.health.put(grpc.StatusCode.INTERNAL)
    plugin.wait(lambda: plugin.calls.count(("NodeWatchResources", [])) == 2)
    assert known(world) == {}


def test_unimplemented_is_final(world: World) -> None:
    plugin = started(world, BOTH)
    plugin.health.put(grpc.StatusCode.UNIMPLEMENTED)
    end = world.history.wait("rpc", lambda e: e["method"] == "NodeWatchResources" and e["phase"] == "end", timeout=5)
    assert end is not None
    assert end["code"] == "UNIMPLEMENTED"
    assert not world.history.wait(
        "rpc", lambda e: e["method"] == "NodeWatchResources" and e["phase"] == "start", since=end.seq, timeout=0.2
    )


def test_not_advertised_not_opened(world: World) -> None:
    plugin = world.registered()
    world.kubelet.prepare(world.claim("c"))
    assert ("NodeWatchResources", []) not in plugin.calls


@pytest.mark.parametrize(("length", "cut"), [(1024, False), (1025, True)])
def test_long_messages_are_cut(world: World, length: int, cut: bool) -> None:
    plugin = started(world, BOTH)
    plugin.health.put([device(message="x" * length)])
    message(world, 1)
    wait_for(lambda: known(world), "a report", timeout=5)
    text = known(world)["gpu-0"][1]
    assert len(text) == 1024
    assert text.endswith("...") == cut


def test_pods_show_it(world: World) -> None:
    plugin = started(world, BOTH)
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    cdi_id = f"example.com/gpu={claim.uid}"

    def shown() -> Any:
        [status] = world.api.get("pods", "p", "ns")["status"]["containerStatuses"]
        return status["allocatedResourcesStatus"]

    assert shown() == [{"name": "claim:c", "resources": [{"resourceID": cdi_id, "health": "Unknown"}]}]
    plugin.health.put([device(health="UNHEALTHY", message="hot")])
    resource = {"resourceID": cdi_id, "health": "Unhealthy", "message": "hot"}
    world.api.wait(lambda: bool(shown() == [{"name": "claim:c", "resources": [resource]}]))


def test_what_was_not_heard_of_for_long_is_unknown(world: World) -> None:
    plugin = started(world, BOTH)
    plugin.health.put([device(health_check_timeout_seconds=1), device("gpu-1")])
    message(world, 1)
    wait_for(lambda: known(world).get("gpu-0") == ("Healthy", ""), "a report", timeout=5)
    assert not world.history.wait("rpc", lambda e: e["phase"] == "message", since=len(world.history), timeout=1.05)
    assert known(world) == {"gpu-0": ("Unknown", ""), "gpu-1": ("Healthy", "")}
