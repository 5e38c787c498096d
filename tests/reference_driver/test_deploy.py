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

from .chart import Chart

CHART = Path(reference_driver.deploy.__file__).parent / "chart"
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


def test_helm_renders_the_chart_so(helm: Path) -> None:
    command = [str(helm), "template", "gpu-driver", str(CHART), "--namespace=gpu-driver", "--kube-version=1.37.2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert by_name([obj for obj in yaml.safe_load_all(done.stdout) if obj]) == rendered()
