"""Parts that need no cluster."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster.kind import engine, lifecycle, processes
from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.command import last_words, run
from conformance.cluster.kind.instance import _exit_status
from conformance.cluster.kind.manifests import namespaces_of, objects_of, pod_templates
from conformance.cluster.kind.programs import NODE, lacking
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive


def test_every_asset_is_there() -> None:
    for name in ("cluster.yaml", "kubelet.yaml", "engine.sh", "runc-capped", "node-image/build.sh", "workload/wait.c"):
        assert asset(name).is_file()


@pytest.mark.parametrize("name", ["engine.sh", "node-image/build.sh", "runc-capped"])
def test_scripts_are_valid(name: str) -> None:
    subprocess.run(["bash", "-n", asset(name)], check=True)


def test_kubelets_are_fast_unless_real_timers_are_asked_for(tmp_path: Path) -> None:
    for real in (False, True):
        lifecycle.write_config(tmp_path / "kind.yaml", real_timers=real)
        config = yaml.safe_load((tmp_path / "kind.yaml").read_text())
        kubelet = yaml.safe_load(config["kubeadmConfigPatches"][-1])
        assert [node["role"] for node in config["nodes"]] == ["control-plane", "worker", "worker"]
        assert kubelet["failCgroupV1"] is False
        assert kubelet.get("syncFrequency") == (None if real else "3s")


def test_a_clusters_name_says_whose_it_is() -> None:
    assert lifecycle.cluster_name(Path("/tmp/dcA_b9x")) == "dra-conformance-dca-b9x"


def test_a_cluster_is_used_by_one_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, second = (lifecycle.Cluster(Path("kind"), "dra-conformance-x") for _ in range(2))
    first.take()
    with pytest.raises(Inconclusive, match="used by another run"):
        second.take()
    first.let_go()
    second.take()
    second.let_go()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("platform.machine", lambda: "riscv64"), "needs Linux on x86_64 or aarch64"),
        (("os.geteuid", lambda: 1000), "needs root"),
        (("shutil.which", lambda _: None), "there is no command docker"),
    ],
)
def test_a_missing_engine_is_told_in_one_sentence(change: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(*change)
    with pytest.raises(Inconclusive, match=said) as refused:
        engine.check_engine()
    assert "\n" not in str(refused.value)


def test_a_failed_command_is_told_by_its_last_words() -> None:
    with pytest.raises(Inconclusive, match=r"^cannot try: ERROR: no space left$"):
        run(["sh", "-c", "echo working >&2; echo 'ERROR: no space left' >&2; exit 1"], "try", timeout=5)
    with pytest.raises(Inconclusive, match="took longer than"):
        run(["sleep", "5"], "try", timeout=0.1)
    with pytest.raises(Inconclusive, match="No such file"):
        run(["/nowhere/kind"], "try", timeout=1)
    assert last_words("") == "it said nothing"


def test_programs_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "kubelet").touch()
    assert lacking(tmp_path, NODE)[0] == "kubeadm"
    assert {"containerd", "ctr", "crictl", "kind", "ptp"} <= set(NODE)


def test_a_process_is_seen_as_its_container_sees_itself() -> None:
    env = {"PATH": os.environ["PATH"], "GPU": "a=b"}
    with subprocess.Popen([sys.executable, "-c", "input()"], env=env, stdin=subprocess.PIPE) as child:
        process = processes.HostProcess(child.pid)
        assert process.alive
        assert processes.environment(child.pid)["GPU"] == "a=b"
        process.signal(signal.SIGKILL)
        assert process.wait(5)
        assert not process.alive


def test_exit_status_of_a_container() -> None:
    ended = {"terminated": {"containerID": "containerd://abc", "exitCode": 137}}
    pod = {"status": {"containerStatuses": [{"state": {"running": {}}, "lastState": ended}]}}
    assert _exit_status(pod, "abc") == -9
    assert _exit_status(pod, "other") is None
    ended["terminated"]["exitCode"] = 1
    assert _exit_status(pod, "abc") == 1


def test_the_reference_driver_is_installed_as_users_do() -> None:
    objects = objects_of(Target.load("reference"))
    assert namespaces_of(objects) == ["gpu-driver"]
    (daemonset,) = pod_templates(objects)
    spec = daemonset["spec"]["template"]["spec"]
    assert sorted(volume["hostPath"]["path"] for volume in spec["volumes"]) == [
        "/var/lib/kubelet/plugins/gpu.example.com",
        "/var/lib/kubelet/plugins_registry",
        "/var/run/cdi",
    ]
    assert daemonset["spec"]["updateStrategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    kinds = [obj["kind"] for obj in objects]
    assert {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "DeviceClass", "ClusterRole"} <= set(kinds)


def test_a_driver_file_without_manifests_cannot_be_installed(tmp_path: Path) -> None:
    file = tmp_path / "driver.yaml"
    file.write_text("drivers: [{name: gpu.example.com}]\n")
    with pytest.raises(TargetError, match=r"install\.manifests is missing"):
        objects_of(Target.load(str(file), process=False))
    file.write_text("drivers: [{name: gpu.example.com}]\ninstall: {manifests: [nowhere.yaml]}\n")
    with pytest.raises(TargetError, match=r"nowhere\.yaml does not exist"):
        objects_of(Target.load(str(file), process=False))
