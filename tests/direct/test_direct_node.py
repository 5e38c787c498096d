"""A node whose drivers are found and called past our kubelet, which stands for a real one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster import ClaimRef, Cluster, need_calls
from conformance.cluster.direct import DirectNode
from conformance.cluster.kubelet import KubeletSettings
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Unseen, WaitTimeout
from tests.kubelet.conftest import FAST
from tests.kubelet.fake_plugin import FakePlugin
from tests.kubelet.world import DRIVER, World

CLAIM = ClaimRef("ns", "claim", "uid-1")


class Past:
    """A world with a kubelet, and a node that looks at the same registry folder."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder, FAST)
        self.world.kubelet.start()
        self.history = History()
        self.node = DirectNode("node-a", Caller("node-a", self.history), KubeletSettings(reconnect_backoff=0.05))
        self.node.look_at(self.world.kubelet.registry_dir, Path)

    def registered(self, suffix: str = "") -> FakePlugin:
        """A driver that both know."""
        plugin = self.world.registered(suffix=suffix)
        self.node.wait_registered(DRIVER, count=len(self.world.plugins), timeout=5)
        return plugin

    def gone(self) -> None:
        """Wait until nothing is registered any more."""
        wait_for(lambda: not self.node.registrations(DRIVER), "the driver to be gone", timeout=5)

    def stop(self) -> None:
        """End everything."""
        self.node.stop_looking()
        self.world.stop()


@pytest.fixture
def past(run_dir: Path) -> Iterator[Past]:
    made = Past(run_dir)
    yield made
    made.stop()


def test_a_driver_is_asked_and_told_nothing(past: Past) -> None:
    plugin = past.registered()
    (registration,) = past.node.registrations(DRIVER)
    assert (registration.endpoint, registration.socket) == (plugin.info["endpoint"], plugin.registration_socket)
    assert registration.supported_versions == ("v1.DRAPlugin", "v1beta1.DRAPlugin")
    assert plugin.notified == [(True, "")], "by the kubelet alone"
    asked = [event["source"] for event in past.history.events("rpc", lambda e: e["method"] == "GetInfo")]
    assert set(asked) == {"check"}
    assert list(past.history.events("kubelet")) == [], "nothing is said of the kubelet, which is not seen"


def test_calls_reach_the_newest_instance(past: Past) -> None:
    old, new = past.registered("-old"), past.registered("-new")
    assert past.node.prepare(CLAIM).cdi_ids == ["example.com/gpu=uid-1"]
    assert past.node.unprepare(CLAIM, version="v1beta1").error == ""
    assert [method for method, _ in new.calls if method != "GetInfo"] == [
        "NodePrepareResources",
        "NodeUnprepareResources",
    ]
    new.close(new.registration_socket)
    past.node.wait_registered(DRIVER, count=1, timeout=5)
    past.node.prepare(CLAIM)
    assert ("NodePrepareResources", ["uid-1"]) in old.calls


def test_a_driver_was_there_before(run_dir: Path) -> None:
    plugin = FakePlugin(run_dir / "plugins", run_dir / "registry").start()
    node = DirectNode("node-a", Caller("node-a", History()), KubeletSettings())
    node.look_at(run_dir / "registry", Path)
    try:
        assert node.wait_registered(DRIVER, timeout=5)[0].socket == plugin.registration_socket
        assert node.get_info(plugin.registration_socket).name == DRIVER
    finally:
        node.stop_looking()
        plugin.stop()


def test_a_killed_driver_is_not_registered_until_it_answers_again(past: Past) -> None:
    plugin = past.registered()
    plugin.close(plugin.endpoint_socket)
    past.gone()
    with pytest.raises(WaitTimeout, match="waited 0 s for 1 registered"):
        past.node.wait_registered(DRIVER, timeout=0)
    assert past.node.prepare(CLAIM, driver=DRIVER, timeout=1).error != ""
    plugin.serve_endpoint()
    past.node.wait_registered(DRIVER, timeout=5)


def test_a_driver_that_comes_back_with_another_answer_is_asked_again(past: Past) -> None:
    plugin = FakePlugin(past.world.kubelet.plugins_dir / DRIVER, past.world.kubelet.registry_dir)
    past.world.plugins.append(plugin)
    plugin.info["supported_versions"] = []
    plugin.start()
    plugin.wait(lambda: ("GetInfo", []) in plugin.calls)
    assert past.node.registrations(DRIVER) == [], "no kubelet can use it"
    plugin.close(plugin.registration_socket)
    plugin.info["supported_versions"] = ["v1.DRAPlugin", "v1.DRAResourceHealth"]
    plugin.serve_registration()
    (registration,) = past.node.wait_registered(DRIVER, timeout=5)
    assert registration.supported_versions == ("v1.DRAPlugin", "v1.DRAResourceHealth")


def test_paths_of_the_node_are_found_from_here(run_dir: Path) -> None:
    root = run_dir / "root"
    plugin = FakePlugin(root / "plugins", root / "registry")
    plugin.info["endpoint"] = "/plugins/dra.sock"
    plugin.start()
    node = DirectNode("node-a", Caller("node-a", History()), KubeletSettings())
    node.look_at(root / "registry", lambda path: root / path.lstrip("/"))
    try:
        (registration,) = node.wait_registered(DRIVER, timeout=5)
        assert registration.endpoint == "/plugins/dra.sock"
        assert node.prepare(CLAIM).error == ""
    finally:
        node.stop_looking()
        plugin.stop()


def test_what_needs_calls_of_the_kubelet_is_not_run(past: Past) -> None:
    backend: Any = type("Backend", (), {"nodes": [past.node], "history": past.history})()
    cluster = Cluster(backend, Target.load("reference"), "ns", Path())
    for ask in (
        lambda: need_calls(past.node),  # type: ignore[arg-type]
        lambda: cluster.answers("NodePrepareResources"),
        lambda: cluster.wait_answer("NodePrepareResources", "uid-1"),
    ):
        with pytest.raises(Unseen, match="calls between the kubelet and the driver cannot be seen on this cluster"):
            ask()
