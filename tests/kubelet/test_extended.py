"""Claims for extended resources: the pod's status says which container has which request of them."""

from typing import Any

import pytest

from conformance.cluster.dra_api import podresources_v1_pb2 as messages
from conformance.cluster.dra_api import podresources_v1_pb2_grpc as stubs
from conformance.cluster.kubelet.sockets import Dialled

from .world import DRIVER, World


def pod(world: World, *containers: tuple[str, dict[str, Any]], mappings: list[tuple[str, str, str]]) -> str:
    """A pod whose containers (name, requests) have an extended resource claim "x" mapped to them."""
    rows = [{"name": name, "resources": {"requests": requests}} for name, requests in containers]
    keys = ("containerName", "resourceName", "requestName")
    status = {
        "resourceClaimName": "x",
        "requestMappings": [dict(zip(keys, mapping, strict=True)) for mapping in mappings],
    }
    world.api.create(
        "pods",
        {
            "metadata": {"name": "p", "uid": "uid-p"},
            "spec": {"nodeName": "node-a", "containers": rows},
            "status": {"extendedResourceClaimStatus": status},
        },
        "ns",
    )
    return "uid-p"


def prepared(world: World) -> None:
    """A driver that gives request r0 a device of its own and r1 another."""
    plugin = world.registered()
    names = {"r0": "zero", "r1": "one"}
    plugin.devices = lambda uid: [
        {"device_name": device, "request_names": [request], "cdi_device_ids": [f"example.com/gpu={uid}-{device}"]}
        for request, device in names.items()
    ]
    claim = world.claim("x", pods=("p",))
    for device in names.values():
        world.cdi_spec(f"{claim.uid}-{device}")


def test_each_container_gets_what_is_mapped_to_it(world: World) -> None:
    prepared(world)
    resource = "example.com/gpu"
    uid = pod(
        world,
        ("a", {resource: "1"}),
        ("b", {resource: "1", "cpu": "1"}),
        ("c", {}),
        mappings=[("a", resource, "r0"), ("b", resource, "r1"), ("b", resource, "r0")],
    )
    world.running("p")
    zero, one = "example.com/gpu=uid-x-zero", "example.com/gpu=uid-x-one"
    seen = {name: world.kubelet.container(uid, name).cdi_ids for name in ("a", "b", "c")}
    assert seen == {"a": (zero,), "b": (one, zero), "c": ()}
    with Dialled(world.kubelet.pod_resources_socket) as channel:
        [row] = stubs.PodResourcesListerStub(channel).List(messages.ListPodResourcesRequest()).pod_resources
    assert [[claim.claim_name for claim in c.dynamic_resources] for c in row.containers] == [["x"], ["x"], []]
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    assert world.plugins[0].calls[-1] == ("NodeUnprepareResources", ["uid-x"])


@pytest.mark.parametrize(
    ("resource", "amount", "given"),
    [
        ("example.com/gpu", "1", True),
        ("deviceclass.resource.kubernetes.io/gpu", "2", True),
        ("example.com/gpu", "0", False),
        ("example.com/gpu", "0.0", False),
        ("cpu", "1", False),
        ("node.kubernetes.io/gpu", "1", False),
        ("requests.example.com/gpu", "1", False),
    ],
)
def test_which_requests_count(world: World, resource: str, amount: str, given: bool) -> None:
    prepared(world)
    uid = pod(world, ("a", {resource: amount}), mappings=[("a", resource, "r0")])
    world.running("p")
    assert bool(world.kubelet.container(uid, "a").cdi_ids) == given


def test_the_claim_must_be_reserved_and_needs_its_driver(world: World) -> None:
    world.claim("x", pods=())
    pod(world, ("a", {"example.com/gpu": "1"}), mappings=[("a", "example.com/gpu", "r0")])
    failed = world.happened("prepare_failed")
    assert failed["details"].endswith("pod p (uid-p) is not allowed to use ResourceClaim x (uid-x)")
    reserved = [{"resource": "pods", "name": "p", "uid": "uid-p"}]
    world.api.patch("resourceclaims", "x", {"status": {"reservedFor": reserved}}, "ns")
    world.happened("prepare_failed", lambda event: event["details"].endswith(f"DRA driver {DRIVER} is not registered"))
