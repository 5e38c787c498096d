"""Which container of which pod is the driver, and what can come between it and the kubelet."""

from pathlib import PurePosixPath
from typing import Any

import pytest

from conformance.cluster.kind import next_version
from conformance.cluster.kind.workloads import (
    COVER,
    driver_container,
    namespaces_of,
    pod_templates,
    require_tappable,
)
from conformance.target.model import NextDeploymentSection
from conformance.verdict import Inconclusive

KUBELET = "/var/lib/kubelet"
REGISTRY = f"{KUBELET}/plugins_registry"


def spec(path: str, **mount: Any) -> dict[str, Any]:
    """Two containers, the second one with a path of the node."""
    mounts = [{"name": "host", "mountPath": "/host", **mount}]
    return {
        "containers": [{"name": "sidecar"}, {"name": "driver", "image": "driver:1", "volumeMounts": mounts}],
        "volumes": [{"name": "host", "hostPath": {"path": path}}, {"name": "scratch", "emptyDir": {}}],
    }


def workload(kind: str, pod: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": "d", "namespace": "ns"}, "spec": {"template": {"spec": pod}}}


@pytest.mark.parametrize("path", [REGISTRY, f"{REGISTRY}/", f"{REGISTRY}/below", KUBELET, "/var", "/"])
def test_the_driver_is_what_reaches_the_registry(path: str) -> None:
    assert driver_container(spec(path)) == "driver"


@pytest.mark.parametrize("path", [f"{KUBELET}/plugins", f"{KUBELET}/plugins_registry2", "/dev"])
def test_other_pods_are_not(path: str) -> None:
    assert driver_container(spec(path)) == ""
    assert driver_container(spec(path), [PurePosixPath(path)]) == "driver"


def test_every_kind_of_workload_counts() -> None:
    objects = [workload("Deployment", spec(REGISTRY)), {"kind": "Pod", "metadata": {"name": "p", "namespace": "other"}}]
    assert [obj["kind"] for obj in pod_templates(objects)] == ["Deployment"]
    assert namespaces_of(objects) == ["ns", "other"]


@pytest.mark.parametrize("mount", [{"mountPropagation": "Bidirectional"}, {"subPath": "kubelet"}])
def test_a_mount_that_cannot_be_covered_is_told(mount: dict[str, str]) -> None:
    with pytest.raises(Inconclusive, match=r"DaemonSet d mounts /var/lib of the node .*; mount \S+ on its own"):
        require_tappable([workload("DaemonSet", spec("/var/lib", **mount))])
    require_tappable([workload("DaemonSet", spec("/var/lib"))])
    require_tappable([workload("DaemonSet", spec(REGISTRY, **mount))])


def test_the_next_version_changes_the_drivers_container_only() -> None:
    template = {"spec": spec(REGISTRY)}
    template["spec"]["containers"][1]["env"] = [{"name": "A", "value": "1"}, {"name": "B", "value": "1"}]
    section = NextDeploymentSection(image="driver:2", args=["--new"], env={"B": "2"})
    sidecar, driver = next_version.containers(template, section)
    assert sidecar == {"name": "sidecar"}
    assert (driver["image"], driver["args"]) == ("driver:2", ["--new"])
    assert driver["env"] == [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    assert template["spec"]["containers"][1]["image"] == "driver:1"


def test_what_the_next_version_does_not_name_stays() -> None:
    template = {"spec": spec(REGISTRY)}
    assert next_version.containers(template, NextDeploymentSection()) == template["spec"]["containers"]


def test_a_pod_that_looks_after_the_node_is_told_from_the_driver() -> None:
    """Both have the tap's folder, one of them because the tap's policy put it there."""
    shadow = PurePosixPath("/shadow")
    exporter = spec("/")
    exporter["containers"][1]["volumeMounts"].append({"name": COVER, "mountPath": "/host/registry"})
    exporter["volumes"].append({"name": COVER, "hostPath": {"path": str(shadow)}})
    assert driver_container(exporter, [shadow]) == "driver"
    assert driver_container(exporter, [shadow], above=False) == ""
    assert driver_container(spec(str(shadow)), [shadow], above=False) == "driver"
