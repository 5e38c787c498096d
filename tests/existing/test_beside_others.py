"""Beside others: what they use counts as taken, what is theirs is not looked at, what hangs is looked at again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from conformance.check import Check
from conformance.cluster import Cluster, Shared
from conformance.cluster.api import NotFound
from conformance.cluster.existing import ExistingBackend, ExistingSettings
from conformance.cluster.existing.choice import choose
from conformance.cluster.existing.nudger import Nudger
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.session.gate import claims_free
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun

Object = dict[str, Any]

TARGET = Target.load("reference")


class Objects:
    """An API server's objects by kind."""

    def __init__(self, **objects: Sequence[Object]) -> None:
        self.objects = objects
        self.patched: list[str] = []

    def list(self, resource: str, *_: Any, **__: Any) -> Object:
        return {"items": list(self.objects.get(resource, ()))}

    def get(self, resource: str, name: str) -> Object:
        found = next((obj for obj in self.objects.get(resource, ()) if obj["metadata"]["name"] == name), None)
        if found is None:
            raise NotFound({"code": 404})
        return found

    def patch(self, resource: str, name: str, *_: Any) -> None:
        self.patched.append(f"{resource}/{name}")


def node(name: str, *, ready: bool = True, taints: Sequence[Object] = (), **spec: Any) -> Object:
    conditions = [{"type": "Ready", "status": str(ready)}]
    return {"metadata": {"name": name}, "spec": {**spec, "taints": taints}, "status": {"conditions": conditions}}


def slice_of(name: str) -> Object:
    return {"metadata": {"name": f"slice-{name}"}, "spec": {"driver": TARGET.driver_name, "nodeName": name}}


def chosen(nodes: Sequence[Object], on: Sequence[str], *named: str) -> list[str]:
    api: Any = Objects(nodes=nodes, resourceslices=[slice_of(name) for name in on])
    return [found["metadata"]["name"] for found in choose(api, TARGET, named)]


def test_the_first_node_with_the_driver_that_takes_pods_is_looked_at() -> None:
    tainted = [{"key": "gpu", "effect": "NoSchedule"}]
    nodes = [node("a"), node("b", ready=False), node("c", unschedulable=True), node("d", taints=tainted), node("e")]
    assert chosen(nodes, "bcde") == ["e"]
    assert chosen(nodes, "bcd") == ["d"]
    with pytest.raises(Inconclusive, match="is ready and takes pods"):
        chosen(nodes, "bc")


def test_named_nodes_are_looked_at_in_their_order() -> None:
    nodes = [node("a"), node("b"), node("c")]
    assert chosen(nodes, "abc", "c", "a") == ["c", "a"]
    with pytest.raises(Inconclusive, match="has published no ResourceSlice for node c, which --node names"):
        chosen(nodes, "ab", "c")


def test_slices_of_nodes_that_nobody_looks_at_are_left_out(tmp_path: Path) -> None:
    """But not those that name no node that there is: they are the driver's fault."""
    settings = ExistingSettings(tmp_path / "kubeconfig")
    backend = ExistingBackend(tmp_path, History(), target=TARGET, settings=settings)
    api: Any = Objects(nodes=[node("a"), node("b")], resourceslices=[slice_of("a"), slice_of("b"), slice_of("nowhere")])
    looked_at: Any = type("Node", (), {"name": "a"})()
    backend.api, backend.nodes = api, [looked_at]
    assert isinstance(backend, Shared)
    seen = Cluster(backend, TARGET, "ns", tmp_path).slices()
    assert [item["metadata"]["name"] for item in seen] == ["slice-a", "slice-nowhere"]


def test_a_check_that_needs_more_than_others_leave_is_not_run() -> None:
    check = Check(id="a.b", covers=(), claims=2)
    claims_free(check, 8, lambda: 2)
    with pytest.raises(NotRun, match="needs 2 claims at once; of 8 on the node, others leave 1"):
        claims_free(check, 8, lambda: 1)
    claims_free(Check(id="a.b", covers=()), 8, lambda: pytest.fail("asked in vain"))


def test_pods_that_hang_are_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.cluster.existing.nudger._PERIOD", 0.02)

    def pod(name: str, phase: str, deleted: bool = False, placed: bool = True) -> Object:
        meta = {"name": name, "namespace": "ns", "uid": name, **({"deletionTimestamp": "now"} if deleted else {})}
        return {"metadata": meta, "spec": {"nodeName": "a"} if placed else {}, "status": {"phase": phase}}

    pods = [pod("runs", "Running"), pod("hangs", "Pending"), pod("stays", "Running", deleted=True)]
    api: Any = Objects(pods=[*pods, pod("waits", "Pending", placed=False)])
    nudger = Nudger(api, "run")
    nudger.start()
    wait_for(lambda: len(api.patched) >= 4, "pods to be looked at twice", timeout=10)
    nudger.stop()
    assert set(api.patched) == {"pods/hangs", "pods/stays"}
