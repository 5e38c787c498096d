"""Causes outside of the driver, told from messages and from what a node says of itself."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.cluster import Claim, Cluster
from conformance.cluster.diagnosis import doubts, explained
from conformance.history import History
from conformance.target import Target
from conformance.verdict import WaitTimeout


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("RegisterPlugin error -- no handler registered for plugin type: DRAPlugin at socket /a", "DynamicResource"),
        ("prepare dynamic resources: DRA driver gpu.example.com is not registered", "look at its pod there"),
        ("CDI device injection failed: unresolvable CDI devices gpu.example.com/gpu=a", "/etc/cdi and /var/run/cdi"),
        ("fetch ResourceClaim a: the server could not find the requested resource", "compare the versions"),
    ],
)
def test_a_message_whose_cause_is_known(message: str, cause: str) -> None:
    said = explained(message)
    assert said.startswith(f"{message} (")
    assert cause in said


def test_one_whose_cause_is_not_known() -> None:
    assert explained("gpu-3 is on fire") == "gpu-3 is on fire"
    assert explained("no handler registered for plugin type: CSIPlugin") == (
        "no handler registered for plugin type: CSIPlugin"
    )


def node(kubelet: str, runtime: str) -> dict[str, Any]:
    return {"status": {"nodeInfo": {"kubeletVersion": kubelet, "containerRuntimeVersion": runtime}}}


@pytest.mark.parametrize(
    ("kubelet", "runtime", "doubt"),
    [
        ("v1.34.1", "containerd://2.1.0", "half an hour of silence"),
        ("v1.33.9", "containerd://2.1.0", "older than resource.k8s.io/v1"),
        ("v1.34.2-eks-1", "containerd://1.7.27", "enable_cdi"),
        ("v1.37.2", "docker://28.0.1", "cri-dockerd"),
    ],
)
def test_what_a_node_says_of_itself(kubelet: str, runtime: str, doubt: str) -> None:
    (found,) = doubts(node(kubelet, runtime))
    assert doubt in found


@pytest.mark.parametrize("good", [node("v1.37.2", "containerd://2.2.0"), node("v1.34.2", "cri-o://1.34.0"), {}])
def test_a_node_that_nothing_is_known_against(good: dict[str, Any]) -> None:
    assert doubts(good) == []


class Waiting:
    """An API server with one pod that the kubelet cannot start, on a node with an old kubelet."""

    def list(self, resource: str, *_: Any, **__: Any) -> dict[str, Any]:
        uid = {"uid": "u-1"}
        pod = {"metadata": {"name": "user", "namespace": "ns", **uid}}
        failed = {"involvedObject": uid, "message": "DRA driver gpu.example.com is not registered"}
        return {"items": [pod] if resource == "pods" else [failed]}

    def get(self, resource: str, *_: Any, **__: Any) -> dict[str, Any]:
        return node("v1.34.0", "containerd://2.0.0") if resource == "nodes" else {}


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    here = SimpleNamespace(name="node-a", sees_calls=True)
    backend: Any = SimpleNamespace(api=Waiting(), history=History(), nodes=[here])
    return Cluster(backend, Target.load("reference"), "ns", tmp_path)


def test_a_call_that_never_comes_is_told_with_its_likely_causes(cluster: Cluster) -> None:
    with pytest.raises(WaitTimeout, match=r"pod user: DRA driver .* \(its plugin is not running .*half an hour"):
        cluster.first_answer("NodePrepareResources", "u-2", timeout=0)


def test_a_claim_that_is_not_allocated_is_told_with_what_its_pod_hangs_on(cluster: Cluster) -> None:
    claim = Claim(cluster, {"metadata": {"name": "devices", "namespace": "ns", "uid": "u-2"}})
    with pytest.raises(WaitTimeout, match=r"claim ns/devices to be allocated; seen instead: pod user: DRA driver"):
        claim.wait_allocated(timeout=0)
