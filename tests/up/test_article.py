"""The story of a first pod with a GPU, told with kubectl on a cluster that is kept."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster.wait import wait_for
from tests.repository.sources import ROOT
from tests.up.conftest import Shell

MANIFESTS = ROOT / "examples" / "manifests" / "single-gpu.yaml"


class Kubectl:
    """kubectl with the kubeconfig of a cluster."""

    def __init__(self, program: Path, kubeconfig: Path) -> None:
        self._command = [str(program), f"--kubeconfig={kubeconfig}"]

    def __call__(self, *arguments: str) -> str:
        done = subprocess.run([*self._command, *arguments], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
        return done.stdout

    def items(self, resource: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = json.loads(self("get", resource, "--output=json"))["items"]
        return items


@pytest.mark.parametrize(("cluster", "namespace"), [("embedded", "default"), ("control-plane", "team")])
def test_a_pod_gets_a_gpu_and_gives_it_back(
    shell: Shell, kubectl: Path, cluster: str, namespace: str, request: pytest.FixtureRequest
) -> None:
    if cluster == "control-plane":
        request.getfixturevalue("binaries")
    shell.run("up", "--background", f"--cluster={cluster}", "--kubeconfig=kubeconfig")
    run = Kubectl(kubectl, shell.folder / "kubeconfig")
    run("config", "set-context", "--current")
    if namespace != "default":
        run("create", "namespace", namespace)
        run("config", "set-context", "--current", f"--namespace={namespace}")

    applied = run("apply", f"--filename={MANIFESTS}")
    assert applied.splitlines()[1:] == [
        "resourceclaimtemplate.resource.k8s.io/single-gpu created",
        "pod/pod0 created",
    ]
    run("wait", "--for=condition=Ready", "pod/pod0", "--timeout=30s")

    (claim,) = run.items("resourceclaims")
    (device,) = claim["status"]["allocation"]["devices"]["results"]
    assert device["driver"] == "gpu.example.com"
    assert [user["name"] for user in claim["status"]["reservedFor"]] == ["pod0"]
    (pod,) = run.items("pods")
    assert pod["status"]["phase"] == "Running"

    slices = yaml.safe_load(run("get", "resourceslice", "--output=yaml"))["items"]
    names = [each["name"] for each in slices[0]["spec"]["devices"]]
    assert names == [f"gpu-{number}" for number in range(8)]
    assert device["device"] in names

    run("delete", "pod", "pod0")
    wait_for(lambda: run.items("resourceclaims") == [], "the claim to be gone", timeout=30)
    shell.run("down")
    if namespace == "default":
        assert not (shell.folder / "kubeconfig").exists(), "kubectl has written it anew, and yet it is known as ours"
    else:
        assert (shell.folder / "kubeconfig").exists(), "somebody has set a namespace in it"
