"""The chart and the manifests install the same driver."""

import argparse
import subprocess
from pathlib import Path
from typing import Any

import yaml

import reference_driver.deploy
from conformance.cluster.kind.manifests import objects_of
from conformance.target import Target
from reference_driver.deploy import image
from reference_driver.gpu.driver import DRIVER_NAME
from reference_driver.plugin import add_arguments
from tests.variants import ROOT

from .chart import Chart

CHART = Path(reference_driver.deploy.__file__).parent / "chart"
WEBHOOK = {"create": True, "replicas": 2, "secret": "", "caBundle": "Q0E=", "annotations": {}, "failurePolicy": "Fail"}
Objects = dict[tuple[str, str], dict[str, Any]]


def by_name(objects: list[dict[str, Any]]) -> Objects:
    return {(obj["kind"], obj["metadata"]["name"]): obj for obj in objects}


def rendered(**values: Any) -> Objects:
    return by_name(Chart(CHART, "gpu-driver", "gpu-driver", values).objects())


def without_labels(obj: dict[str, Any]) -> dict[str, Any]:
    """The object without what Helm wants to have in labels; a selector must at least fit its pods."""
    obj["metadata"].pop("labels", None)
    if obj["kind"] == "DaemonSet":
        spec = obj["spec"]
        labels = spec["template"].pop("metadata")["labels"]
        assert spec.pop("selector")["matchLabels"].items() <= labels.items()
    return obj


def settings(obj: dict[str, Any]) -> dict[str, Any]:
    """What the driver's container is told, after the driver's own defaults."""
    parser = argparse.ArgumentParser()
    add_arguments(parser, DRIVER_NAME)
    parser.add_argument("--num-devices", type=int, default=8)
    (container,) = obj["spec"]["template"]["spec"]["containers"]
    return vars(parser.parse_args(["--node-name=any", *container.pop("args")]))


def test_the_image_can_ask_nvml_and_holds_nothing_of_the_fake_one() -> None:
    names = [name for name, _ in image.entries() if name.startswith("app/")]
    assert "app/pynvml.py" in names
    assert "app/reference_driver/gpu/nvml/verify.py" in names
    assert "app/fakegpu/products.yaml" in names
    assert [name for name in names if name.startswith("app/fakegpu/nvml/")] == []


def test_chart_and_manifests_say_the_same() -> None:
    chart, manifests = rendered(), by_name(objects_of(Target.load("reference")))
    del manifests["Namespace", "gpu-driver"]  # helm makes that with --create-namespace
    name = ("DaemonSet", "gpu-driver")
    assert settings(chart[name]) == settings(manifests[name])
    assert {key: without_labels(obj) for key, obj in chart.items()} == {
        key: without_labels(obj) for key, obj in manifests.items()
    }


def test_values_of_the_chart_reach_the_driver() -> None:
    chart = rendered(
        numDevices=2,
        httpPort=9090,
        kubeletDir="/data/kubelet",
        tolerations=[{"operator": "Exists"}],
        deviceClass={"create": False},
        admissionPolicy={"create": False},
    )
    assert {kind for kind, _ in chart} == {"ServiceAccount", "ClusterRole", "ClusterRoleBinding", "DaemonSet"}
    daemonset = chart["DaemonSet", "gpu-driver"]
    spec = daemonset["spec"]["template"]["spec"]
    assert spec["tolerations"] == [{"operator": "Exists"}]
    assert "nodeSelector" not in spec
    assert spec["volumes"][0]["hostPath"]["path"] == f"/data/kubelet/plugins/{DRIVER_NAME}"
    assert spec["containers"][0]["ports"] == [{"name": "http", "containerPort": 9090}]
    told = settings(daemonset)
    assert told["http_address"] == ":9090"
    assert (told["num_devices"], str(told["plugins_dir"])) == (2, "/data/kubelet/plugins")


def test_features_can_be_switched_by_values_of_the_chart() -> None:
    classes = {"create": True, "extendedResourceName": "", "partitions": True}
    chart = rendered(args=["--partitions=7"], watchClaims=True, deviceClass=classes)
    (container,) = chart["DaemonSet", "gpu-driver"]["spec"]["template"]["spec"]["containers"]
    assert container["args"][-1] == "--partitions=7"
    (claims,) = (row for row in chart["ClusterRole", "gpu-driver"]["rules"] if row["resources"] == ["resourceclaims"])
    assert claims["verbs"] == ["get", "list", "watch"]
    whole, parts = chart["DeviceClass", DRIVER_NAME]["spec"], chart["DeviceClass", f"partition.{DRIVER_NAME}"]["spec"]
    assert "extendedResourceName" not in whole
    selected = "device.attributes['gpu.example.com'].?type.orValue('gpu')"
    assert whole["selectors"][1]["cel"]["expression"] == f"{selected} == 'gpu'"
    assert parts["selectors"][1]["cel"]["expression"] == f"{selected} == 'partition'"


def test_the_webhook_of_the_chart_is_that_of_the_manifest() -> None:
    assert not {"Service", "Deployment", "ValidatingWebhookConfiguration"} & {kind for kind, _ in rendered()}
    chart = rendered(webhook=WEBHOOK)
    manifest = by_name(list(yaml.safe_load_all((CHART.parent / "webhook.yaml").read_text())))
    (webhook,) = chart["ValidatingWebhookConfiguration", "gpu-driver-configs"]["webhooks"]
    assert webhook["clientConfig"].pop("caBundle") == "Q0E="
    for key, obj in manifest.items():
        assert without_app(chart[key]) == without_app(obj)


def without_app(obj: dict[str, Any]) -> dict[str, Any]:
    """The object without the labels that Helm wants; a selector must at least fit its pods."""
    obj = without_labels(obj)
    spec = obj.get("spec", {})
    if obj["kind"] == "Deployment":
        assert spec.pop("selector")["matchLabels"].items() <= spec["template"].pop("metadata")["labels"].items()
    spec.pop("selector", None)
    return obj


def test_the_image_of_another_driver_has_that_in_it() -> None:
    program = ROOT / "examples" / "scratch_driver.py"
    found = dict(image.entries(program))
    assert found["app/scratch_driver.py"] == program
    assert found["app/reference_driver/plugin/app.py"] == ROOT / "reference_driver" / "plugin" / "app.py"


def test_helm_renders_the_chart_so(helm: Path, tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "webhook": WEBHOOK,
        "args": ["--partitions=7"],
        "watchClaims": True,
        "deviceClass": {"create": True, "extendedResourceName": "", "partitions": True},
    }
    (tmp_path / "values.yaml").write_text(yaml.safe_dump(values))
    command = [str(helm), "template", "gpu-driver", str(CHART), "--namespace=gpu-driver", "--kube-version=1.37.2"]
    for given, expected in (([], rendered()), ([f"--values={tmp_path}/values.yaml"], rendered(**values))):
        done = subprocess.run([*command, *given], capture_output=True, text=True, check=True)
        assert by_name([obj for obj in yaml.safe_load_all(done.stdout) if obj]) == expected
