"""Scheduler and controllers on a real store: from a pod to its devices and back."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.cluster.embedded.scheduler import SchedulerSettings
from tests.embedded_scheduler.control_plane import ControlPlane, control_plane
from tests.embedded_scheduler.objects import DRIVER, Obj

NO_DEVICE = (
    "0/1 nodes are available: 1 cannot allocate all claims. "
    "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
)
PRE_BIND = 'running PreBind plugin "DynamicResources": '


@pytest.fixture
def plane() -> Iterator[ControlPlane]:
    with control_plane() as plane:
        plane.device_class()
        yield plane


def test_a_pod_gets_its_device(plane: ControlPlane) -> None:
    plane.publish("a", "b")
    plane.claim("c")
    pod = plane.pod("p", claim="c")
    assert plane.bound("p") == "node-a"
    claim = plane.get("resourceclaims", "c")
    assert claim["metadata"]["finalizers"] == ["resource.kubernetes.io/delete-protection"]
    assert claim["status"]["reservedFor"] == [{"resource": "pods", "name": "p", "uid": pod["metadata"]["uid"]}]
    allocation = claim["status"]["allocation"]
    assert allocation["devices"]["results"][0]["device"] == "a"
    assert "allocationTimestamp" in allocation
    assert plane.get("pods", "p")["status"]["conditions"][0]["type"] == "PodScheduled"


def test_a_pod_without_claims_is_bound(plane: ControlPlane) -> None:
    plane.pod("p")
    assert plane.bound("p") == "node-a"


def test_a_pod_waits_until_a_device_is_free(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.template("t")
    plane.pod("first", template="t")
    plane.bound("first")
    plane.pod("second", template="t")
    condition = plane.pending("second")
    assert (condition["reason"], condition["message"]) == ("Unschedulable", NO_DEVICE)
    plane.told("FailedScheduling", NO_DEVICE)
    plane.finish("first")
    assert plane.bound("second") == "node-a"
    assert plane.events("FailedScheduling") == [NO_DEVICE]


def test_a_pod_waits_until_a_device_is_published(plane: ControlPlane) -> None:
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.pending("p")
    plane.publish("a")
    plane.bound("p")


def test_a_cel_error_is_told(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.claim("c", selectors=[{"cel": {"expression": f'device.attributes["{DRIVER}"].model == "A100"'}}])
    plane.pod("p", claim="c")
    condition = plane.pending("p")
    assert condition["reason"] == "SchedulerError"
    assert condition["message"].startswith(
        'running "DynamicResources" filter plugin: claim default/c: selector #0 on device '
        f"{DRIVER}/node-a/a: CEL runtime error: no such key: model. consider using CEL optional chaining"
    )
    plane.publish("a", attributes={"model": {"string": "A100"}}, generation=2)
    plane.bound("p")


def test_a_missing_class_is_told_and_waited_for(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.claim("c", deviceClassName="nic")
    plane.pod("p", claim="c")
    assert "request gpu: device class nic does not exist." in plane.pending("p")["message"]
    plane.device_class("nic")
    plane.bound("p")


def test_nothing_is_told_about_a_claim_that_is_not_there_yet(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.pod("p", claim="late")
    plane.pod("marker")
    plane.bound("marker")
    assert "conditions" not in plane.get("pods", "p").get("status", {})
    plane.claim("late")
    plane.bound("p")
    assert plane.events("FailedScheduling") == []


def test_two_pods_share_a_claim(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.claim("c")
    plane.pod("one", claim="c")
    plane.pod("two", claim="c")
    plane.bound("one")
    plane.bound("two")
    plane.becomes("c", allocated=True, holders=2)
    plane.store.delete("pods", "one", "default", grace_period_seconds=0)
    plane.becomes("c", allocated=True, holders=1)
    plane.store.delete("pods", "two", "default", grace_period_seconds=0)
    claim = plane.becomes("c", allocated=False, holders=0)
    assert "finalizers" not in claim["metadata"] or wait_no_finalizer(plane)


def wait_no_finalizer(plane: ControlPlane) -> bool:
    plane.store.delete("resourceclaims", "c", "default")
    return plane.gone("resourceclaims", "c")


def test_a_claim_has_256_holders_at_most(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.claim("c")
    plane.pod("first", claim="c")
    plane.bound("first")
    strangers = [
        {"apiGroup": "x.example.com", "resource": "things", "name": f"n{n}", "uid": f"u{n}"} for n in range(255)
    ]

    def fill(claim: Obj) -> None:
        claim["status"]["reservedFor"].extend(strangers)

    plane.store.modify("resourceclaims", "c", "default", fill, status=True)
    plane.pod("late", claim="c")
    condition = plane.pending("late")
    assert condition["reason"] == "SchedulerError"
    assert condition["message"].startswith(
        'running PreBind plugin "DynamicResources": add reservation to claim default/c'
    )
    plane.store.delete("pods", "first", "default", grace_period_seconds=0)
    plane.bound("late")


def test_nodes_are_chosen_by_device_and_selector() -> None:
    with control_plane("node-a", "node-b", "node-c") as plane:
        plane.device_class()
        plane.publish("a", node="node-a")
        plane.publish("b", node="node-b")
        plane.template("t")
        plane.pod("picky", template="t", nodeSelector={"kubernetes.io/hostname": "node-b"})
        assert plane.bound("picky") == "node-b"
        plane.pod("next", template="t")
        assert plane.bound("next") == "node-a"
        plane.pod("last", template="t", nodeSelector={"kubernetes.io/hostname": "node-c"})
        message = plane.pending("last")["message"]
        why = "1 cannot allocate all claims, 2 node(s) didn't match Pod's node affinity/selector."
        assert message.startswith(f"0/3 nodes are available: {why}")


def test_a_claim_on_another_node_is_given_up_when_nobody_holds_it() -> None:
    with control_plane("node-a", "node-b") as plane:
        plane.device_class()
        plane.publish("a", node="node-a")
        plane.publish("b", node="node-b")
        plane.claim("c")
        only = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}
        row = {"request": "gpu", "driver": DRIVER, "pool": "node-a", "device": "a"}

        def allocate(claim: Obj) -> None:
            devices = {"results": [row]}
            claim["status"] = {"allocation": {"devices": devices, "nodeSelector": {"nodeSelectorTerms": [only]}}}

        plane.store.modify("resourceclaims", "c", "default", allocate, status=True)
        plane.pod("p", claim="c", nodeSelector={"kubernetes.io/hostname": "node-b"})
        assert plane.bound("p") == "node-b"
        (told,) = plane.events("FailedScheduling")
        assert "1 resourceclaim not available on the node" in told


def test_a_rule_taints_devices(plane: ControlPlane) -> None:
    plane.publish("a")
    taint = {"key": "example.com/maintenance", "effect": "NoSchedule"}
    rule = {"metadata": {"name": "r"}, "spec": {"deviceSelector": {"driver": DRIVER}, "taint": taint}}
    plane.store.create("devicetaintrules", rule)
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.pending("p")
    plane.store.delete("devicetaintrules", "r")
    plane.bound("p")


def test_a_pod_with_a_node_of_its_own_is_left_alone(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.claim("c")
    plane.pod("preset", claim="c", nodeName="node-a")
    plane.pod("scheduled", claim="c")
    plane.bound("scheduled")
    # The controller reserves the allocated claim for it.
    plane.becomes("c", allocated=True, holders=2)


def conditions(plane: ControlPlane, **states: str) -> None:
    def change(claim: Obj) -> None:
        rows = [
            {"type": name, "status": state, "reason": "x", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}
            for name, state in states.items()
        ]
        claim["status"]["devices"] = [{"driver": DRIVER, "pool": "node-a", "device": "a", "conditions": rows}]

    plane.store.modify("resourceclaims", "c", "default", change, status=True)


SLOW: Any = {"bindingConditions": ["Ready"], "bindingFailureConditions": ["Broken"]}


def test_a_pod_is_bound_when_its_device_is_ready(plane: ControlPlane) -> None:
    plane.publish("a", **SLOW)
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.becomes("c", allocated=True, holders=1)
    conditions(plane, Ready="False")
    plane.pod("marker")
    plane.bound("marker")
    assert "nodeName" not in plane.get("pods", "p")["spec"]
    assert plane.events("BindingConditionsPending") == ["waiting for binding conditions for device on node node-a"]
    conditions(plane, Ready="True")
    plane.bound("p")


def test_a_device_that_cannot_be_made_ready_is_given_back(plane: ControlPlane) -> None:
    plane.publish("a", **SLOW)
    plane.claim("c")
    plane.pod("p", claim="c")
    plane.becomes("c", allocated=True, holders=1)
    conditions(plane, Broken="True")
    plane.told("FailedScheduling", f'{PRE_BIND}device binding failed: claim=c, reason=x, message=""')
    # It is tried again, and the device, which nobody has repaired, is taken once more.
    plane.becomes("c", allocated=True, holders=1)
    assert "devices" not in plane.get("resourceclaims", "c")["status"]


def test_a_device_is_not_waited_for_for_ever() -> None:
    with control_plane(settings=SchedulerSettings(binding_timeout=0.01)) as plane:
        plane.device_class()
        plane.publish("a", **SLOW)
        plane.claim("c")
        plane.pod("p", claim="c")
        plane.told("FailedScheduling", f"{PRE_BIND}device binding timeout: claim=c")


def test_a_claim_that_is_named_twice_is_never_bound(plane: ControlPlane) -> None:
    plane.publish("a", "b")
    plane.claim("c")
    entries = [{"name": name, "resourceClaimName": "c"} for name in ("one", "two")]
    plane.pod("p", resourceClaims=entries)
    plane.told("FailedScheduling", f"{PRE_BIND}claim default/c got allocated elsewhere in the meantime")
    plane.becomes("c", allocated=True, holders=0)


def test_it_is_quick(plane: ControlPlane) -> None:
    plane.publish(*(f"d{n}" for n in range(40)))
    plane.template("t")
    seconds = []
    for number in range(20):
        start = time.perf_counter()
        plane.pod(f"p{number}", template="t")
        watch_bound(plane, f"p{number}")
        seconds.append(time.perf_counter() - start)
    assert sorted(seconds)[len(seconds) // 2] < 0.1


def watch_bound(plane: ControlPlane, name: str) -> None:
    subscription = plane.store.subscribe("pods", "default")
    for _, pod in subscription:
        if pod["metadata"]["name"] == name and pod["spec"].get("nodeName"):
            break
    subscription.close()


def test_it_stops_at_once() -> None:
    with control_plane() as plane:
        plane.pod("p")
        start = time.perf_counter()
    assert time.perf_counter() - start < 0.5
