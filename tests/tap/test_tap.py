"""The tap between our kubelet, which stands for a real one, and drivers in this process."""

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import grpc
import pytest

from conformance.cluster.answer import ClaimRef
from conformance.cluster.dra_api.pluginregistration_pb2 import InfoRequest
from conformance.cluster.dra_api.pluginregistration_pb2_grpc import RegistrationStub
from conformance.cluster.kubelet import Call, KubeletSettings, RpcFailed, Send
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.tap import Places, Tap
from conformance.cluster.wait import wait_for
from conformance.history import History
from tests.kubelet.conftest import FAST
from tests.kubelet.fake_plugin import FakePlugin
from tests.kubelet.world import DRIVER, World

CLAIM = ClaimRef("ns", "claim", "uid-1")


class Tapped:
    """A world whose drivers make their registration sockets in the shadow folder."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder, FAST)
        self.world.kubelet.start()
        self.shadow = folder / "shadow"
        self.history = History()
        self.caller = Caller("node-a", self.history)
        home = folder / "tap"
        places = Places(self.shadow, self.world.kubelet.registry_dir, home, PurePosixPath(home), Path)
        self.tap = Tap(places, self.caller, KubeletSettings(reconnect_backoff=0.05, health_timeout=30))
        self.tap.start()

    def driver(self, suffix: str = "", **info: Any) -> FakePlugin:
        """A driver that serves, behind the tap."""
        plugin = FakePlugin(self.world.kubelet.plugins_dir / DRIVER, self.shadow, DRIVER, suffix)
        plugin.info.update(info)
        self.world.plugins.append(plugin)
        return plugin.start()

    def registered(self, suffix: str = "") -> FakePlugin:
        """One that the kubelet has registered and connected to."""
        plugin = self.driver(suffix)
        self.world.kubelet.wait_registered(DRIVER, count=len(self.world.plugins))
        self.world.kubelet.wait_connected(DRIVER)
        return plugin

    def ends(self, method: str) -> list[dict[str, Any]]:
        """What the tap recorded of calls that have ended."""
        return [e.data for e in self.history.events("rpc", lambda e: (e["phase"], e["method"]) == ("end", method))]

    def stop(self) -> None:
        """End everything."""
        self.tap.stop()
        self.world.stop()


@pytest.fixture
def tapped(run_dir: Path) -> Iterator[Tapped]:
    made = Tapped(run_dir)
    yield made
    made.stop()


def test_registers_in_the_drivers_place(tapped: Tapped) -> None:
    plugin = tapped.registered()
    assert plugin.notified == [(True, "")]
    (registration,) = tapped.tap.registrations(DRIVER)
    assert registration.endpoint == plugin.info["endpoint"]
    assert registration.socket == plugin.registration_socket
    seen = tapped.world.kubelet.registrations(DRIVER)[0]
    assert seen.endpoint != plugin.info["endpoint"]
    (info,) = tapped.ends("GetInfo")
    assert (info["response"]["endpoint"], info["source"]) == (plugin.info["endpoint"], "kubelet")


def test_the_endpoint_can_be_dialled_as_soon_as_it_is_named(tapped: Tapped) -> None:
    """Else the kubelet's first dial is in vain, and so is the first Prepare of a pod."""
    tapped.world.kubelet.stop()
    tapped.driver()
    registry = tapped.world.kubelet.registry_dir
    (socket_path,) = wait_for(lambda: list(registry.iterdir()), "the tap's socket", timeout=10)
    with grpc.insecure_channel(f"unix:{socket_path}") as channel:
        info = RegistrationStub(channel).GetInfo(InfoRequest(), wait_for_ready=True, timeout=10)
    with socket.socket(socket.AF_UNIX) as probe:
        assert probe.connect_ex(info.endpoint) == 0


def test_calls_pass_with_their_answers(tapped: Tapped) -> None:
    plugin = tapped.registered()
    answer = tapped.world.kubelet.prepare(CLAIM)
    assert (answer.error, answer.cdi_ids) == ("", ["example.com/gpu=uid-1"])
    plugin.prepare_errors["uid-1"] = "no such GPU"
    assert tapped.world.kubelet.prepare(CLAIM).error == "no such GPU"
    plugin.abort = (grpc.StatusCode.RESOURCE_EXHAUSTED, "busy")
    failed = tapped.world.kubelet.unprepare(CLAIM, version="v1beta1")
    assert (failed.code, failed.details) == ("RESOURCE_EXHAUSTED", "busy")
    assert [(row["method"], row["version"], row["code"]) for row in tapped.ends("NodeUnprepareResources")] == [
        ("NodeUnprepareResources", "v1beta1.DRAPlugin", "RESOURCE_EXHAUSTED")
    ]


def test_health_streams_pass(tapped: Tapped) -> None:
    plugin = tapped.driver(supported_versions=["v1.DRAPlugin", "v1.DRAResourceHealth"])
    tapped.world.kubelet.wait_registered(DRIVER)
    plugin.health.put([{"device": {"pool_name": "node-a", "device_name": "gpu-0"}, "health": 2}])
    health = tapped.world.kubelet.health
    wait_for(lambda: health(DRIVER), "health to be reported", timeout=5)
    assert health(DRIVER)["node-a", "gpu-0"].status == "Unhealthy"
    (registration,) = tapped.tap.registrations(DRIVER)
    assert registration.supported_versions == ("v1.DRAPlugin", "v1.DRAResourceHealth")


def test_a_driver_that_ends_is_deregistered(tapped: Tapped) -> None:
    plugin = tapped.registered()
    plugin.close(plugin.registration_socket)
    tapped.world.kubelet.wait_registered(DRIVER, count=0)
    assert list(tapped.world.kubelet.registry_dir.iterdir()) == []


def test_the_kubelet_notices_that_a_driver_was_killed_and_came_back(tapped: Tapped) -> None:
    plugin = tapped.registered()
    plugin.close(plugin.endpoint_socket)
    tapped.world.kubelet.wait_connected(DRIVER, connected=False)
    tapped.world.happened("wiped")
    plugin.serve_endpoint()
    tapped.world.kubelet.wait_connected(DRIVER)
    assert tapped.world.kubelet.prepare(CLAIM).error == ""


def test_two_instances_are_told_apart(tapped: Tapped) -> None:
    old = tapped.registered("-old")
    new = tapped.registered("-new")
    assert [r.socket for r in tapped.tap.registrations(DRIVER)] == [old.registration_socket, new.registration_socket]
    kubelet = tapped.world.kubelet
    kubelet.wait_instance(DRIVER, kubelet.registrations(DRIVER)[-1].endpoint)
    wait_for(lambda: tapped.tap.plugins.chosen(DRIVER) == new.info["endpoint"], "the newest one", timeout=5)
    kubelet.prepare(CLAIM)
    assert ("NodePrepareResources", ["uid-1"]) in new.calls
    old.close(old.registration_socket)
    old.close(old.endpoint_socket)
    tapped.world.kubelet.wait_registered(DRIVER, count=1)
    assert tapped.world.kubelet.prepare(CLAIM).error == ""


def test_a_restarted_kubelet_registers_again(tapped: Tapped) -> None:
    plugin = tapped.registered()
    before = tapped.tap.plugins.get(DRIVER)
    tapped.tap.forget()
    assert tapped.tap.registrations(DRIVER) == []
    tapped.world.kubelet.restart_kubelet()
    tapped.world.kubelet.wait_registered(DRIVER)
    assert [r.endpoint for r in tapped.tap.registrations(DRIVER)] == [plugin.info["endpoint"]]
    assert tapped.tap.plugins.get(DRIVER) is not before, "the driver sees a connection of the kubelet's end"


def test_what_the_kubelet_refuses_is_told_to_the_driver(tapped: Tapped) -> None:
    plugin = tapped.driver(supported_versions=["v7.DRAPlugin"])
    plugin.wait(lambda: bool(plugin.notified))
    registered, error = plugin.notified[0]
    assert not registered
    assert "v7.DRAPlugin" in error
    assert tapped.tap.registrations(DRIVER) == []


def test_faults(tapped: Tapped) -> None:
    plugin = tapped.registered()

    def fail(_call: Call, _send: Send) -> Any:
        raise RpcFailed("UNAVAILABLE", "made up")

    def twice(call: Call, send: Send) -> Any:
        send(call)
        return send(call)

    tapped.caller.interceptors.append(fail)
    failed = tapped.world.kubelet.prepare(CLAIM)
    assert (failed.code, failed.details) == ("UNAVAILABLE", "made up")
    assert ("NodePrepareResources", ["uid-1"]) not in plugin.calls
    tapped.caller.interceptors[:] = [twice]
    assert tapped.world.kubelet.prepare(CLAIM).error == ""
    assert plugin.calls.count(("NodePrepareResources", ["uid-1"])) == 2


def test_a_call_that_the_kubelet_gives_up_is_cancelled_at_the_driver(tapped: Tapped) -> None:
    plugin = tapped.registered()
    plugin.hold = threading.Event()
    began = time.monotonic()
    assert tapped.world.kubelet.prepare(CLAIM, timeout=0.2).code == "DEADLINE_EXCEEDED"
    assert time.monotonic() - began < 2
    wait_for(lambda: tapped.ends("NodePrepareResources"), "the tap's own call to end", timeout=5)
    assert tapped.ends("NodePrepareResources")[0]["code"] in ("DEADLINE_EXCEEDED", "CANCELLED")
    plugin.hold.set()


def test_long_paths(run_dir: Path) -> None:
    deep = run_dir / ("d" * 90)
    deep.mkdir()
    shadow, registry = deep / "shadow", deep / "registry"
    places = Places(shadow, registry, deep / "tap", PurePosixPath("/on/node"), Path)
    tap = Tap(places, Caller("node-a", History()), replace(KubeletSettings(), reconnect_backoff=0.05))
    tap.start()
    short = run_dir / "s"
    short.symlink_to(shadow)
    plugin = FakePlugin(run_dir, short).start()
    try:
        there = registry / plugin.registration_socket.name
        wait_for(there.is_socket, "the tap's registration socket", timeout=5)
    finally:
        tap.stop()
        plugin.stop()
