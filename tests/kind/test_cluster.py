"""A real cluster with the reference driver on it: what checks see of it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import conformance.checks
from conformance.cluster import Cluster, Pod
from conformance.cluster.api import Api, ApiError, Forbidden
from conformance.cluster.kind import KindBackend
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.node import KindNode
from conformance.cluster.kubeconfig import read_kubeconfig

CHECKS = Path(conformance.checks.__file__).parent / "preparation"


@pytest.fixture
def node(backend: KindBackend) -> KindNode:
    found = backend.nodes[0]
    assert isinstance(found, KindNode)
    return found


@pytest.fixture
def cluster(backend: KindBackend, installation: PodInstallation, request: pytest.FixtureRequest) -> Iterator[Cluster]:
    name = request.node.name.replace("_", "-")[:60]
    backend.api.create("namespaces", {"metadata": {"name": name}})
    yield Cluster(backend, installation.target, name, CHECKS)
    backend.api.delete("namespaces", name)


def user(cluster: Cluster, name: str = "user") -> Pod:
    return cluster.apply("one_pod.yaml", name=name).pod(name)


def test_a_container_sees_its_device(cluster: Cluster, node: KindNode) -> None:
    pod = user(cluster).wait_running()
    claim = pod.claim("devices")
    view = node.container(pod.uid, "main")
    (device,) = claim.devices()
    assert view.env[f"GPU_DEVICE_{device.device.removeprefix('gpu-')}"] == device.device
    assert list(view.cdi_ids) == pod.wait_prepared("devices").cdi_ids
    assert view.devices == ()
    (metadata,) = view.mounts
    assert metadata["containerPath"].endswith("/gpu.example.com-metadata.json")
    assert node.restart_container(pod.uid, "main") == view


def test_a_driver_pod_writes_slices_of_its_own_node_only(backend: KindBackend, installation: PodInstallation) -> None:
    own, other = backend.nodes[0].name, backend.nodes[1].name
    driver = _as_driver(backend, installation)

    def write(node: str, name: str = "gpu.example.com") -> None:
        spec = {"driver": name, "nodeName": node, "pool": {"name": "x", "generation": 1, "resourceSliceCount": 1}}
        obj = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "x"}, "spec": spec}
        driver.request("POST", "/apis/resource.k8s.io/v1/resourceslices", query={"dryRun": "All"}, body=obj)

    write(own)
    with pytest.raises(ApiError, match=f"a driver on node {own} writes slices of that node only"):
        write(other)
    with pytest.raises(ApiError, match=r"slices of gpu\.example\.com only"):
        write(own, "other.example.com")
    with pytest.raises(Forbidden):
        driver.list("pods", "default")


def _as_driver(backend: KindBackend, installation: PodInstallation) -> Api:
    """A client with the identity of the driver's pod."""
    pod = installation.instances[0].pod
    bound = {"kind": "Pod", "apiVersion": "v1", "name": pod.name, "uid": pod.uid}
    path = f"/api/v1/namespaces/{pod.namespace}/serviceaccounts/gpu-driver/token"
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"boundObjectRef": bound}}
    token = backend.api.request("POST", path, body=body)["status"]["token"]
    access = replace(read_kubeconfig(backend.kubeconfig), token=token, cert_data=None, key_data=None)
    return Api(access.server, access.ca_file, access=access)
