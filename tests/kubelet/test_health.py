"""Health of devices: the stream, what is known of it, and what pods show."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from conformance.cluster.dra_api import dra_health_v1_pb2
from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.wait import wait_for

from .conftest import FAST
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


def test_what_was_reported_outlives_the_kubelet(world: World) -> None:
    plugin = started(world, BOTH)
    plugin.health.put([device(health="UNHEALTHY", message="hot"), device("gpu-1", health_check_timeout_seconds=7)])
    wait_for(lambda: len(known(world)) == 2, "a report", timeout=5)
    world.kubelet.stop()
    raw = json.loads((world.kubelet.kubelet_dir / "dra_health_state").read_text())
    rows = raw[DRIVER]["Devices"]
    assert {key: (row["Health"], row["Message"]) for key, row in rows.items()} == {
        "node-a/gpu-0": ("Unhealthy", "hot"),
        "node-a/gpu-1": ("Healthy", ""),
    }
    assert rows["node-a/gpu-1"]["HealthCheckTimeout"] == 7_000_000_000
    plugin.close(plugin.registration_socket)
    world.kubelet.start()
    assert known(world) == {"gpu-0": ("Unhealthy", "hot"), "gpu-1": ("Healthy", "")}


def test_a_file_that_cannot_be_read_is_no_news(world: World) -> None:
    started(world, BOTH)
    world.kubelet.stop()
    (world.kubelet.kubelet_dir / "dra_health_state").write_text('{"driver": 7')
    world.kubelet.start()
    assert world.kubelet.running
    assert known(world) == {}


def test_more_devices_than_the_cap_are_left_out() -> None:
    def report(*devices: dict[str, Any]) -> Any:
        rows = [dra_health_v1_pb2.DeviceHealth(**row) for row in devices]
        return dra_health_v1_pb2.NodeWatchResourcesResponse(devices=rows)

    book = HealthBook(30, lambda _: None)
    book.report(DRIVER, report(*[device(f"gpu-{number}") for number in range(16385)]))
    book.report(DRIVER, report(device("gpu-7", "UNHEALTHY"), device("late")))
    health = book.all(DRIVER)
    assert len(health) == 16384
    assert health["node-a", "gpu-7"].status == "Unhealthy", "news of what is known is taken in"
    assert ("node-a", "late") not in health


def test_pods_show_when_nothing_was_heard_for_long(run_dir: Path) -> None:
    world = World(run_dir, replace(FAST, resync_period=0.05))
    world.kubelet.start()
    try:
        plugin = started(world, BOTH)
        claim = world.claim("c", pods=("p",))
        world.cdi_spec(claim.uid)
        plugin.health.put([device(health_check_timeout_seconds=1)])
        wait_for(lambda: known(world), "a report", timeout=5)
        world.pod("p", "c")

        def shown() -> list[str]:
            statuses = world.api.get("pods", "p", "ns").get("status", {}).get("containerStatuses", ())
            rows = [row for status in statuses for row in status.get("allocatedResourcesStatus", ())]
            return [resource["health"] for row in rows for resource in row["resources"]]

        world.api.wait(lambda: shown() == ["Healthy"])
        world.api.wait(lambda: shown() == ["Unknown"])
    finally:
        world.stop()


@pytest.mark.parametrize(
    ("request_name", "cdi_ids", "expected"),
    [
        ("first", ["a.io/b=c", "a.io/b=d"], {"name": "claim:c/first", "resources": ["a.io/b=c"]}),
        ("", [], {"name": "claim:c", "resources": [f"{DRIVER}/node-a/gpu-0"]}),
        ("other", ["a.io/b=c"], None),
    ],
)
def test_names_in_the_pods_status(
    world: World, request_name: str, cdi_ids: list[str], expected: dict[str, Any] | None
) -> None:
    plugin = started(world, BOTH)
    row = {"pool_name": "node-a", "device_name": "gpu-0", "request_names": ["first"], "cdi_device_ids": cdi_ids}
    plugin.devices = lambda uid: [row, row]
    world.claim("c", pods=("p",))
    (world.kubelet.cdi_dir / "x.json").write_text(
        '{"cdiVersion":"0.3.0","kind":"a.io/b","devices":[{"name":"c","containerEdits":{"env":["A=1"]}},'
        '{"name":"d","containerEdits":{"env":["A=1"]}}]}'
    )
    used = {"name": "c", **({"request": request_name} if request_name else {})}
    world.pod("p", "c", containers=[{"name": "main", "resources": {"claims": [used]}}])
    world.running("p")
    [status] = world.api.get("pods", "p", "ns")["status"]["containerStatuses"]
    shown = [
        {"name": row["name"], "resources": [resource["resourceID"] for resource in row["resources"]]}
        for row in status.get("allocatedResourcesStatus", ())
    ]
    assert shown == ([] if expected is None else [expected])
