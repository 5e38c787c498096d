"""What the section `install` of a driver file asks for, on a real API server."""

from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.api import NotFound
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.kind import charts, conditions
from conformance.cluster.kind.deploying import deploy
from conformance.cluster.kind.manifests import Applier
from conformance.target import Target
from conformance.target.model import ConditionSection

CRD = "gizmos.example.com"
INSTALL = "{manifests: [none.yaml], namespaceLabels: {pod-security.kubernetes.io/enforce: privileged}}"


def definition() -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": CRD},
        "spec": {
            "group": "example.com",
            "scope": "Cluster",
            "names": {"kind": "Gizmo", "plural": "gizmos", "singular": "gizmo"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


def gizmo(name: str) -> dict[str, Any]:
    """A cluster-scoped object, with the namespace that charts give to all of theirs."""
    return {"apiVersion": "example.com/v1", "kind": "Gizmo", "metadata": {"name": name, "namespace": "driver"}}


def wanted(kind: str, name: str, condition: str) -> ConditionSection:
    version = "apps/v1" if kind == "Deployment" else "apiextensions.k8s.io/v1"
    return ConditionSection(api_version=version, kind=kind, name=name, condition=condition)


@pytest.fixture
def target(tmp_path: Path) -> Target:
    path = tmp_path / "driver.yaml"
    path.write_text(f"drivers: [{{name: gpu.example.com}}]\ninstall: {INSTALL}\n")
    return Target.load(str(path), process=False)


def test_what_must_be_there_is_ready_before_the_driver(backend: ControlPlaneBackend, target: Target) -> None:
    applier = Applier(backend.api)
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "controller", "namespace": "driver"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"a": "b"}},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {"containers": [{"name": "c", "image": "x"}]},
            },
        },
    }
    objects = [gizmo("one"), deployment]
    deploy(backend.api, target, [definition()], objects, shadow="")
    assert applier.get(gizmo("one"))["metadata"]["name"] == "one"
    assert backend.api.get("deviceclasses", "gpu.example.com")
    labels = backend.api.get("namespaces", "driver")["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "privileged"
    applier.remove([definition(), *objects])
    with pytest.raises(NotFound):
        applier.get(definition())


def test_conditions_are_told_one_by_one(backend: ControlPlaneBackend) -> None:
    applier = Applier(backend.api)
    conditions.install(applier, [definition()])
    assert conditions.unmet(applier, [wanted("CustomResourceDefinition", CRD, "Established")]) == ""
    for kind, name, said in (
        ("CustomResourceDefinition", CRD, f"CustomResourceDefinition {CRD} is not Available"),
        ("Deployment", "nowhere", "Deployment nowhere cannot be read"),
    ):
        told = conditions.unmet(applier, [wanted(kind, name, "Available")])
        assert told.startswith(said)


def test_charts_are_told_what_the_cluster_serves(backend: ControlPlaneBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "provide_helm", lambda _say: Path("helm"))
    renderer = charts.renderer(backend.api, str)
    assert renderer.version == backend.describe()["kubernetes"]
    assert {"v1", "apps/v1", "resource.k8s.io/v1", "resource.k8s.io/v1/DeviceClass"} <= set(renderer.api_versions)
