"""The tap's admission policy, in a real API server: which pods meet the tap's folder, and where."""

from pathlib import PurePosixPath
from typing import Any

import pytest

from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.kind import tap_policy
from conformance.cluster.kind.workloads import driver_container

SHADOW = "/var/lib/kubelet/dra-tap/registry"
REGISTRY = "/var/lib/kubelet/plugins_registry"
COVER = "dra-conformance-tap"


@pytest.fixture(scope="module")
def tapped(backend: ControlPlaneBackend) -> ControlPlaneBackend:
    backend.api.create("namespaces", {"metadata": {"name": "tapped", "labels": tap_policy.LABELS}})
    tap_policy.put_in_force(backend.api, ["tapped"], SHADOW)
    for name in ("tapped", "default"):
        body = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": name}}
        if not backend.api.list("serviceaccounts", name)["items"]:
            backend.api.create("serviceaccounts", body, name)
    return backend


def admitted(backend: ControlPlaneBackend, path: str, namespace: str = "tapped", **mount: Any) -> dict[str, Any]:
    """The spec of a pod with a path of the node at /host, after admission."""
    mounts = [{"name": "host", "mountPath": "/host", **mount}]
    spec = {
        "containers": [{"name": "sidecar", "image": "x"}, {"name": "driver", "image": "x", "volumeMounts": mounts}],
        "volumes": [{"name": "scratch", "emptyDir": {}}, {"name": "host", "hostPath": {"path": path}}],
    }
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "trial"}, "spec": spec}
    path = f"/api/v1/namespaces/{namespace}/pods"
    found: dict[str, Any] = backend.api.request("POST", path, query={"dryRun": "All"}, body=pod)["spec"]
    return found


def host_paths(spec: dict[str, Any]) -> dict[str, str]:
    return {volume["name"]: volume["hostPath"]["path"] for volume in spec["volumes"] if "hostPath" in volume}


def mounts(spec: dict[str, Any]) -> dict[str, str]:
    return {mount["mountPath"]: mount["name"] for mount in spec["containers"][1]["volumeMounts"]}


@pytest.mark.parametrize("path", [REGISTRY, f"{REGISTRY}/", f"{REGISTRY}/driver"])
def test_a_mounted_registry_becomes_the_shadow_folder(tapped: ControlPlaneBackend, path: str) -> None:
    spec = admitted(tapped, path)
    assert host_paths(spec) == {"host": SHADOW}
    assert mounts(spec)["/host"] == "host"


@pytest.mark.parametrize(
    ("path", "below"),
    [
        ("/var/lib/kubelet", "/plugins_registry"),
        ("/var/lib/kubelet/", "/plugins_registry"),
        ("/var", "/lib/kubelet/plugins_registry"),
        ("/", REGISTRY),
    ],
)
def test_in_a_folder_above_it_the_registry_is_covered(tapped: ControlPlaneBackend, path: str, below: str) -> None:
    spec = admitted(tapped, path)
    assert host_paths(spec) == {"host": path, COVER: SHADOW}
    assert mounts(spec)[f"/host{below}"] == COVER
    assert driver_container(spec, [PurePosixPath(SHADOW)]) == "driver"


def test_a_mount_point_may_end_with_a_slash(tapped: ControlPlaneBackend) -> None:
    assert mounts(admitted(tapped, "/var/lib/kubelet", mountPath="/host/"))["/host/plugins_registry"] == COVER


@pytest.mark.parametrize("path", ["/var/lib/kubelet/plugins", f"{REGISTRY}2", "/dev"])
def test_other_folders_are_left_alone(tapped: ControlPlaneBackend, path: str) -> None:
    assert host_paths(admitted(tapped, path)) == {"host": path}


def test_a_mount_by_a_sub_path_is_left_alone(tapped: ControlPlaneBackend) -> None:
    assert host_paths(admitted(tapped, "/var", subPath="lib")) == {"host": "/var"}


def test_pods_elsewhere_are_left_alone(tapped: ControlPlaneBackend) -> None:
    assert host_paths(admitted(tapped, REGISTRY, namespace="default")) == {"host": REGISTRY}
