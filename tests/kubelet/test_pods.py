"""Containers: which devices they see, and what happens when CDI cannot give them; reboot of the node."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from conformance.cluster.cdi import CdiRegistry
from conformance.cluster.kubelet import ContainerError
from conformance.cluster.protocol import Installation
from conformance.verdict import Inconclusive

from .conftest import FAST
from .fake_plugin import FakePlugin
from .world import DRIVER, World


def two_devices(uid: str) -> list[dict[str, Any]]:
    names = ("one", "two", "both")
    requests: tuple[list[str], ...] = (["first"], ["second"], [])
    return [
        {"pool_name": "p", "device_name": n, "request_names": r, "cdi_device_ids": [f"example.com/gpu={uid}-{n}"]}
        for n, r in zip(names, requests, strict=True)
    ]


def container(name: str, *claims: dict[str, str]) -> dict[str, Any]:
    return {
        "name": name,
        "image": "pause",
        "resources": {"claims": list(claims)},
        "env": [{"name": "A", "value": name}],
    }


def test_containers_get_the_devices_of_their_requests(world: World) -> None:
    plugin = world.registered()
    plugin.devices = two_devices
    claim = world.claim("c", pods=("p",))
    for name in ("one", "two", "both"):
        world.cdi_spec(f"{claim.uid}-{name}", value=name)
    uid = world.pod(
        "p",
        "c",
        initContainers=[container("init", {"name": "c", "request": "first"})],
        containers=[
            container("all", {"name": "c"}),
            container("second", {"name": "c", "request": "second"}),
            container("none"),
        ],
    )
    world.running("p")
    seen = {name: world.kubelet.container(uid, name).cdi_ids for name in ("init", "all", "second", "none")}
    one, two, both = (f"example.com/gpu={claim.uid}-{name}" for name in ("one", "two", "both"))
    assert seen == {"init": (one, both), "all": (one, two, both), "second": (two, both), "none": ()}
    assert world.kubelet.container(uid, "none").env == {"A": "none"}


def test_a_sub_request_in_the_answer_matches_no_container(world: World) -> None:
    plugin = world.registered()
    plugin.devices = lambda uid: [{"request_names": ["gpu/small"], "cdi_device_ids": ["example.com/gpu=x"]}]
    world.claim("c", pods=("p",))
    uid = world.pod("p", "c", containers=[container("main", {"name": "c", "request": "gpu"})])
    world.running("p")
    assert world.kubelet.container(uid, "main").cdi_ids == ()


def test_a_missing_cdi_device_keeps_the_container_waiting(world: World) -> None:
    world.registered()
    claim = world.claim("c", pods=("p",))
    uid = world.pod("p", "c")
    world.happened("container_failed")
    text = (
        'failed to generate container "…" spec: failed to generate spec: CDI device injection failed: '
        f"unresolvable CDI devices example.com/gpu={claim.uid}"
    )

    def told(message: str) -> str:
        return re.sub("[0-9a-f]{64}", "…", message)

    world.api.wait(lambda: f"Error: {text}" in [told(message) for message in world.texts()])
    world.api.wait(lambda: "containerStatuses" in world.api.get("pods", "p", "ns").get("status", {}))
    [status] = world.api.get("pods", "p", "ns")["status"]["containerStatuses"]
    waiting = status["state"]["waiting"]
    assert (waiting["reason"], told(waiting["message"])) == ("CreateContainerError", text)
    resource = {"resourceID": f"example.com/gpu={claim.uid}", "health": "Unknown"}
    assert status["allocatedResourcesStatus"] == [{"name": "claim:c", "resources": [resource]}]
    world.cdi_spec(claim.uid)
    world.running("p")
    spec = world.cdi_spec(claim.uid)
    spec.unlink()
    with pytest.raises(ContainerError, match="unresolvable CDI devices"):
        world.kubelet.restart_container(uid, "main")
    with pytest.raises(Inconclusive):
        world.kubelet.container(uid, "main")


def test_a_change_of_the_pod_brings_the_next_try_forward(run_dir: Path) -> None:
    world = World(run_dir, replace(FAST, prepare_retry=60, prepare_retry_max=60))
    world.kubelet.start()
    try:
        world.claim("c", pods=("p",))
        world.pod("p", "c")
        world.happened("prepare_failed")
        world.cdi_spec("uid-c")
        world.registered()
        world.api.patch("pods", "p", {"metadata": {"annotations": {"try": "again"}}}, "ns")
        world.running("p")
    finally:
        world.stop()


def test_a_finished_pod_is_left_alone(world: World) -> None:
    plugin = world.registered()
    world.claim("c", pods=("p",))
    world.api.create(
        "pods",
        {
            "metadata": {"name": "p", "uid": "uid-p"},
            "spec": {"containers": [], "resourceClaims": [{"name": "c", "resourceClaimName": "c"}]},
            "status": {"phase": "Succeeded"},
        },
        "ns",
    )
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert [method for method, _ in plugin.calls] == ["GetInfo"]


def test_what_was_not_started(world: World) -> None:
    with pytest.raises(Inconclusive, match="was not started"):
        world.kubelet.container("nobody", "main")
    with pytest.raises(Inconclusive, match="has none such"):
        world.kubelet.restart_container("nobody", "main")


class FakeInstance:
    uid = "driver-pod"
    node = "node-a"

    def __init__(self, plugin: FakePlugin) -> None:
        self.plugin = plugin

    def kill(self) -> None:
        for socket in (self.plugin.endpoint_socket, self.plugin.registration_socket):
            self.plugin.close(socket)


class FakeInstallation:
    def __init__(self, plugin: FakePlugin) -> None:
        self.instances: Sequence[FakeInstance] = [FakeInstance(plugin)]
        self.started: list[str] = []

    def start(self, *, uid: str) -> None:
        self.started.append(uid)
        self.instances[0].plugin.start()


def test_reboot(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    spec = world.cdi_spec(claim.uid)
    uid = world.pod("p", "c")
    world.running("p")
    boot = (world.kubelet.root / "boot_id").read_text()
    driver = FakeInstallation(plugin)
    since = len(world.history)
    world.kubelet.reboot(cast(Installation, driver))
    assert world.api.get("pods", "p", "ns")["status"]["phase"] == "Pending"
    assert not spec.exists()
    assert (world.kubelet.root / "boot_id").read_text() != boot
    assert driver.started == ["driver-pod"]
    world.cdi_spec(claim.uid, value="after")
    world.running("p", since=since)
    assert world.kubelet.container(uid, "main").env == {"GPU": "after"}
    assert [uids for method, uids in plugin.calls if method == "NodePrepareResources"] == [[claim.uid]] * 2
    node = world.api.get("nodes", "node-a")
    assert node["status"]["nodeInfo"]["bootID"] == (world.kubelet.root / "boot_id").read_text().strip()


def test_the_node_object(world: World) -> None:
    node = world.api.get("nodes", "node-a")
    assert node["metadata"]["labels"]["kubernetes.io/hostname"] == "node-a"
    assert [c["status"] for c in node["status"]["conditions"] if c["type"] == "Ready"] == ["True"]
    assert isinstance(world.kubelet.cdi, CdiRegistry)
    assert world.kubelet.registrations(DRIVER) == []


def test_an_event_that_is_repeated_is_counted(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    plugin.prepare_errors[claim.uid] = "no"
    world.pod("p", "c")
    world.api.wait(lambda: [event["count"] for event in world.api.list("events")["items"]] == [3])
    [event] = world.api.list("events")["items"]
    assert (event["reason"], event["type"]) == ("FailedPrepareDynamicResources", "Warning")


def test_many_similar_events_are_combined(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    tries = iter(range(100))
    vars(plugin).update(answer_uids=lambda uids: [f"else-{next(tries)}"])
    world.pod("p", "c")
    world.api.wait(lambda: any(event["count"] > 1 for event in world.api.list("events")["items"]))
    events = world.api.list("events")["items"]
    combined = "(combined from similar events): Failed to prepare dynamic resources: "
    assert len(events) == 10
    assert [event["message"].startswith(combined) for event in events] == [False] * 9 + [True]
    assert claim.uid not in events[-1]["message"]
