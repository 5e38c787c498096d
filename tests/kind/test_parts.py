"""Parts that need no cluster."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from conformance.cluster.kind import lifecycle, processes
from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.command import last_words, run
from conformance.cluster.kind.configuration import write_config
from conformance.cluster.kind.instance import _exit_status, after_others, tail
from conformance.cluster.kind.manifests import namespaces_of, objects_of, pod_templates
from conformance.cluster.kind.programs import KIND, NODE, kind_command, lacking
from conformance.history import History
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
        write_config(tmp_path / "kind.yaml", "1.37.2", real_timers=real)
        config = yaml.safe_load((tmp_path / "kind.yaml").read_text())
        kubelet = yaml.safe_load(config["kubeadmConfigPatches"][-1])
        assert [node["role"] for node in config["nodes"]] == ["control-plane", "worker", "worker"]
        assert kubelet["failCgroupV1"] is False
        assert kubelet.get("syncFrequency") == (None if real else "3s")


@pytest.mark.parametrize(
    ("version", "gates"),
    [
        ("1.34.4", ["KubeletCrashLoopBackOffMax", "MutatingAdmissionPolicy"]),
        ("1.35.4", ["MutatingAdmissionPolicy"]),
        ("1.36.3", []),
    ],
)
def test_what_older_versions_have_off_is_switched_on(tmp_path: Path, version: str, gates: list[str]) -> None:
    write_config(tmp_path / "kind.yaml", version, real_timers=False)
    config = yaml.safe_load((tmp_path / "kind.yaml").read_text())
    assert sorted(config["featureGates"]) == sorted(["KubeletInUserNamespace", *gates])
    assert ("runtimeConfig" in config) == bool(gates)


def test_kind_brings_a_network_where_the_image_has_none(tmp_path: Path) -> None:
    write_config(tmp_path / "own.yaml", "1.37.2", real_timers=False)
    write_config(tmp_path / "kinds.yaml", "1.37.2", real_timers=False, network=True)
    own, of_kind = (yaml.safe_load((tmp_path / name).read_text()) for name in ("own.yaml", "kinds.yaml"))
    assert own["networking"] == {"disableDefaultCNI": True}
    assert of_kind["networking"] == {}


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


def test_a_failed_command_is_told_by_its_last_words() -> None:
    with pytest.raises(Inconclusive, match=r"^cannot try: ERROR: no such thing$"):
        run(["sh", "-c", "echo working >&2; echo 'ERROR: no such thing' >&2; exit 1"], "try", timeout=5)
    with pytest.raises(Inconclusive, match="took longer than"):
        run(["sleep", "5"], "try", timeout=0.1)
    with pytest.raises(Inconclusive, match="No such file"):
        run(["/nowhere/kind"], "try", timeout=1)
    assert last_words("") == "it said nothing"


def test_programs_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "kubelet").touch()
    assert lacking(tmp_path, NODE)[0] == "kubeadm"
    assert {"containerd", "ctr", "crictl", "kind", "ptp"} <= set(NODE)


def test_kind_is_taken_from_where_it_is_before_it_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache" / "dra-conformance"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    with pytest.raises(Inconclusive, match="no command kind on PATH, and no Go to build it with"):
        kind_command(None, "1.37.2", str)
    folders = [tmp_path / "path", cache / f"kind-{KIND.version}", cache / "kubernetes-node-1.37.2", tmp_path / "given"]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "kind").touch(0o755)
        assert kind_command(tmp_path / "given", "1.37.2", str) == folder / "kind"


def test_the_last_lines_of_a_driver_over_its_restarts(tmp_path: Path) -> None:
    rows = [[f"2026-01-01T00:00:00Z stdout F {number}-{row}" for row in range(50_000)] for number in range(3)]
    for number in (0, 1):
        (tmp_path / f"{number}.log").write_text("\n".join(rows[number]))
    (tmp_path / "10.log").write_text("\n".join(rows[2][:2]))
    assert tail(tmp_path, 3).splitlines() == ["1-49999", "2-0", "2-1"]
    assert tail(tmp_path / "nowhere", 3) == ""


def test_a_process_is_seen_as_its_container_sees_itself() -> None:
    env = {"PATH": os.environ["PATH"], "GPU": "a=b"}
    code = "print(flush=True); input()"
    argv = [sys.executable, "-c", code]
    with subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        # For a moment, a process that has just been started has no environment that others could see.
        assert child.stdout is not None
        assert child.stdout.readline()
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


def test_what_a_killed_container_registered_is_not_the_next_ones() -> None:
    history = History()
    assert after_others(history, "pod-1") == 0
    registered = history.record("kubelet", action="registered", node="a", driver="d.example.com", details="")
    history.record("process", phase="exited", instance="pod-1", node="a", name="p", pid=1, status=-9)
    history.record("process", phase="exited", instance="pod-2", node="a", name="p", pid=2, status=-9)
    assert registered.seq < after_others(history, "pod-1") < after_others(history, "pod-2")


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
    with pytest.raises(TargetError, match="neither manifests nor charts"):
        objects_of(Target.load(str(file), process=False))
    file.write_text("drivers: [{name: gpu.example.com}]\ninstall: {manifests: [nowhere.yaml]}\n")
    with pytest.raises(TargetError, match=r"nowhere\.yaml does not exist"):
        objects_of(Target.load(str(file), process=False))


def test_a_socket_that_nobody_listens_on(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    path = folder / "reg.sock"
    here = os.open(folder, os.O_PATH)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{here}/reg.sock")
        server.listen()
        assert not processes.refuses(path)
        assert "reg.sock" in processes.bound_names(os.getpid())
    os.close(here)
    assert processes.refuses(path)
    assert "reg.sock" not in processes.bound_names(os.getpid())
