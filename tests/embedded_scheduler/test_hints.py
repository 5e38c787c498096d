"""Which waiting pods a change may help, and how long those are left alone that could not be bound."""

import time

import pytest

from conformance.cluster.embedded.scheduler.backoff import Backoff
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.hints import Hints
from tests.embedded_scheduler.objects import Obj, allocated_claim, claim, node, pool_slice, result


def pod(name: str, **spec: object) -> Obj:
    return {"metadata": {"name": name, "namespace": "ns", "uid": f"uid-{name}"}, "spec": spec}


USER = pod("user", resourceClaims=[{"name": "c", "resourceClaimName": "c"}])
PLAIN = pod("plain")
ASKING = pod("asking", containers=[{"name": "c", "resources": {"requests": {"example.org/gpu": "1"}}}])
PENDING = {("ns", row["metadata"]["name"]): row for row in (USER, PLAIN, ASKING)}


def helped(hints: Hints, resource: str, obj: Obj, kind: str = "MODIFIED") -> list[str]:
    return [name for _, name in hints.helped(Change(kind, resource, obj), PENDING)]


def test_a_claim_helps_the_pods_that_use_it() -> None:
    assert helped(Hints(), "resourceclaims", claim(name="c")) == ["user"]
    assert helped(Hints(), "resourceclaims", claim(name="other")) == []


def test_devices_that_become_free_help_all() -> None:
    hints = Hints()
    assert helped(hints, "resourceclaims", allocated_claim(result("a"))) == []
    assert helped(hints, "resourceclaims", claim(name="other")) == ["user", "plain", "asking"]


def test_an_allocated_claim_that_is_deleted_helps_all() -> None:
    hints = Hints()
    assert helped(hints, "resourceclaims", allocated_claim(result("a"))) == []
    assert helped(hints, "resourceclaims", allocated_claim(result("a")), "DELETED") == ["user", "plain", "asking"]


def test_slices_help_pods_that_may_want_devices() -> None:
    assert helped(Hints(), "resourceslices", pool_slice("s")) == ["user", "asking"]


def test_a_node_helps_only_when_it_changes_in_what_counts() -> None:
    hints = Hints()
    assert helped(hints, "nodes", node()) == ["user", "plain", "asking"]
    assert helped(hints, "nodes", {**node(), "status": {"conditions": [{"type": "Ready"}]}}) == []
    assert helped(hints, "nodes", {**node(), "spec": {"unschedulable": True}}) == ["user", "plain", "asking"]


def test_a_pod_that_ends_helps_all() -> None:
    ended = {**pod("ended", nodeName="node-a"), "status": {"phase": "Succeeded"}}
    assert helped(Hints(), "pods", pod("new")) == []
    assert helped(Hints(), "pods", ended) == ["user", "plain", "asking"]


def test_pods_that_failed_are_left_alone_for_longer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    failing = Backoff()
    key = ("ns", "p")
    waited = []
    for _ in range(6):
        failing.add(key)
        assert failing.waits(key)
        waited += failing.seconds()
        now += waited[-1]
        assert failing.over() == [key]
    assert waited == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    failing.forget(key)
    failing.add(key)
    assert failing.seconds() == [1.0]
