"""The PodResources service, asked over its socket."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from conformance.cluster.dra_api import podresources_v1_pb2 as messages
from conformance.cluster.dra_api import podresources_v1_pb2_grpc as stubs
from conformance.cluster.kubelet.sockets import Dialled

from .world import DRIVER, World


@pytest.fixture
def lister(world: World) -> Iterator[Any]:
    with Dialled(world.kubelet.pod_resources_socket) as channel:
        yield stubs.PodResourcesListerStub(channel)


def devices(container: Any) -> list[tuple[str, str, str, str, list[str]]]:
    return [
        (claim.claim_name, row.driver_name, row.device_name, row.share_id, [cdi.name for cdi in row.cdi_devices])
        for claim in container.dynamic_resources
        for row in claim.claim_resources
    ]


def test_devices_of_the_claims_of_each_container(world: World, lister: Any) -> None:
    plugin = world.registered()
    plugin.devices = lambda uid: [
        {"pool_name": "p", "device_name": "d", "cdi_device_ids": ["example.com/gpu=uid-c"], "share_id": "s"},
        {"pool_name": "p", "device_name": "e", "cdi_device_ids": ["example.com/gpu=uid-c"]},
    ]
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    containers = [{"name": "with", "resources": {"claims": [{"name": "c"}]}}, {"name": "without"}]
    sidecar = {"name": "sidecar", "restartPolicy": "Always", "resources": {"claims": [{"name": "c"}]}}
    world.pod("p", "c", containers=containers, initContainers=[{"name": "init"}, sidecar])
    world.running("p")
    [pod] = lister.List(messages.ListPodResourcesRequest()).pod_resources
    assert (pod.namespace, pod.name, [c.name for c in pod.containers]) == ("ns", "p", ["sidecar", "with", "without"])
    cdi_id = "example.com/gpu=uid-c"
    # The kubelet lists the CDI devices of a driver's earlier devices with the later ones too.
    rows = [("c", DRIVER, "d", "s", [cdi_id]), ("c", DRIVER, "e", "", [cdi_id, cdi_id])]
    assert [devices(container) for container in pod.containers] == [rows, rows, []]
    one = lister.Get(messages.GetPodResourcesRequest(pod_name="p", pod_namespace="ns")).pod_resources
    assert one == pod


def test_a_pod_that_is_not_there(lister: Any) -> None:
    with pytest.raises(grpc.RpcError) as raised:
        lister.Get(messages.GetPodResourcesRequest(pod_name="p", pod_namespace="ns"))
    answer: Any = raised.value
    assert (answer.code(), answer.details()) == (grpc.StatusCode.UNKNOWN, "pod p in namespace ns not found")


def test_ended_pods_are_left_out_and_nothing_is_allocatable(world: World, lister: Any) -> None:
    world.api.create(
        "pods",
        {"metadata": {"name": "p", "uid": "u"}, "spec": {"containers": []}, "status": {"phase": "Succeeded"}},
        "ns",
    )
    world.pod("q")
    world.running("q")
    assert [pod.name for pod in lister.List(messages.ListPodResourcesRequest()).pod_resources] == ["q"]
    assert lister.GetAllocatableResources(messages.AllocatableResourcesRequest()).ByteSize() == 0
