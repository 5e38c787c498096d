"""Pods are refused for what the real API server refuses, with its fields and words; the rest is in tests/fidelity."""

import re
from typing import Any

import pytest

from conformance.cluster.api import Conflict, Forbidden, Invalid
from conformance.cluster.embedded.apiserver import Store
from tests.embedded_apiserver.objects import a_pod

IN_WITHOUT_VALUES = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In"}]}]
        }
    }
}
CLAIMS: dict[str, Any] = {"resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}]}
GATED: dict[str, Any] = {"schedulingGates": [{"name": "example.com/wait"}]}


def container(**fields: Any) -> dict[str, Any]:
    return {"containers": [{"name": "main", "image": "none", **fields}]}


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "operator of a toleration": (
        {"tolerations": [{"key": "a", "operator": "Bad"}]},
        "spec.tolerations[0].operator",
        'Unsupported value: "Bad": supported values: "Equal", "Exists"',
    ),
    "In without values": (
        {"affinity": IN_WITHOUT_VALUES},
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
        ".matchExpressions[0].values",
        "must be specified when `operator` is 'In' or 'NotIn'",
    ),
    "mount without volume": (
        container(volumeMounts=[{"name": "data", "mountPath": "/data"}]),
        "spec.containers[0].volumeMounts[0].name",
        'Not found: "data"',
    ),
    "user below zero": (
        container(securityContext={"runAsUser": -1}),
        "spec.containers[0].securityContext.runAsUser",
        "must be between 0 and 2147483647, inclusive",
    ),
    "request above limit": (
        container(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}),
        "spec.containers[0].resources.requests",
        "must be less than or equal to cpu limit of 1",
    ),
    "extended resource without limit": (
        container(resources={"requests": {"example.com/gpu": "1"}}),
        "spec.containers[0].resources.limits",
        "Limit must be set for non overcommitable resources",
    ),
    "a node behind gates": (
        {"nodeName": "node-a", **GATED},
        "spec.nodeName",
        "cannot be set until all schedulingGates have been cleared",
    ),
    "probe without handler": (
        container(livenessProbe={}),
        "spec.containers[0].livenessProbe",
        "must specify a handler type",
    ),
    "two sources of a volume": (
        {"volumes": [{"name": "data", "emptyDir": {}, "hostPath": {"path": "/"}}]},
        "spec.volumes[0].hostPath",
        "may not specify more than 1 volume type",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_pods_are_refused(store: Store, case: str) -> None:
    spec, field, text = BAD[case]
    with pytest.raises(Invalid) as refused:
        store.create("pods", a_pod(**spec), "default")
    assert (field, True) in [(cause["field"], text in cause["message"]) for cause in refused.value.causes]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"priorityClassName": "missing"}, "no PriorityClass with name missing was found"),
        ({"priority": 7}, "the integer value of priority (7) must not be provided in pod spec"),
        ({"runtimeClassName": "missing"}, 'pod rejected: RuntimeClass "missing" not found'),
    ],
)
def test_what_admission_refuses_is_forbidden(store: Store, spec: dict[str, Any], why: str) -> None:
    with pytest.raises(Forbidden, match=re.escape(why)):
        store.create("pods", a_pod(**spec), "default")


def test_a_pod_has_the_priority_of_its_class(store: Store) -> None:
    pod = store.create("pods", a_pod(priorityClassName="system-node-critical"), "default")
    assert pod["spec"]["priority"] == 2000001000


def test_a_pod_that_waits_at_a_gate_is_not_bound(store: Store) -> None:
    store.create("pods", a_pod(**GATED), "default")
    with pytest.raises(Conflict, match=re.escape("pod pod has non-empty .spec.schedulingGates")):
        store.bind("pod", "default", "node-a")


def status_of(store: Store, **status: Any) -> dict[str, Any]:
    """The status of a pod after one was written into it."""
    pod = store.create("pods", a_pod(**container(resources={"claims": [{"name": "gpu"}]}), **CLAIMS), "default")
    written: dict[str, Any] = store.update_status("pods", {**pod, "status": status})["status"]
    return written


def test_one_address_and_the_list_of_them_say_the_same(store: Store) -> None:
    assert status_of(store, podIP="10.0.0.7")["podIPs"] == [{"ip": "10.0.0.7"}]


def test_a_status_keeps_the_class_of_service(store: Store) -> None:
    assert status_of(store, phase="Running")["qosClass"] == "BestEffort"


@pytest.mark.parametrize(("name", "known"), [("claim:gpu", True), ("claim:other", False), ("example.com/gpu", False)])
def test_health_is_of_a_claim_that_the_container_has(store: Store, name: str, known: bool) -> None:
    devices = [{"resourceID": "gpu-0", "health": "Healthy"}]
    row = {"name": "main", "allocatedResourcesStatus": [{"name": name, "resources": devices}]}
    if known:
        assert status_of(store, containerStatuses=[row])["containerStatuses"][0]["name"] == "main"
        return
    with pytest.raises(Invalid) as refused:
        status_of(store, containerStatuses=[row])
    assert [cause["field"] for cause in refused.value.causes] == [
        "status.containerStatuses[0].allocatedResourcesStatus[0].name"
    ]
