"""Clusters that are kept: in the foreground, in the background, for a driver under development."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import cli
from conformance.cluster.wait import wait_for
from conformance.up.place import holder, home
from tests.up.conftest import Shell

DRIVER_THAT_IS_NEVER_READY = """
drivers:
  - name: gpu.example.com
process:
  command: [sh, -c, "echo no such hardware; exec sleep 60"]
limits: {ready: 0.2}
"""


def processes_in(run_dir: str) -> list[int]:
    """Processes that have something of the folder on their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if run_dir in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_in_the_foreground_it_tells_what_happens_until_ctrl_c(shell: Shell) -> None:
    process = shell.begin("up", "--name=front", "--driver=reference")
    said = shell.wait_output("Ctrl-C ends it.")
    (known,) = shell.status().values()
    for key in ("server", "kubeconfig", "logs"):
        assert known[key] in said
    for folder in ("registry_dir", "plugins_dir", "cdi_dir"):
        assert known["placeholders"][folder] in said
    assert f"kubectl --kubeconfig={known['kubeconfig']} get resourceslices" in said

    (driver,) = processes_in(known["run_dir"])
    os.kill(driver, signal.SIGKILL)
    said = shell.wait_output("gpu.example.com is ready again")
    assert f"gpu.example.com ended with signal SIGKILL; its log: {known['logs']}/reference-0.log" in said
    assert f"; its log: {known['logs']}/reference-1.log" in said
    told = [
        line.split(" ", 1)[1] for line in said.split("Ctrl-C ends it.")[1].splitlines() if "gpu.example.com" in line
    ]
    assert "driver gpu.example.com is registered on node-a" in told
    assert "driver gpu.example.com is no longer registered on node-a" not in told, "the next process was told of before"

    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert shell.status() == {}
    assert not Path(known["run_dir"]).exists()
    assert processes_in(known["run_dir"]) == []


def test_in_the_background_several_are_kept_by_name(shell: Shell) -> None:
    shell.begin("up", "--name=one", "--background")
    printed = shell.run("up", "--name=two", "--background", "--driver=none").stdout
    assert shell.wait_output("export").startswith("export KUBECONFIG=")
    known = shell.status()
    assert {name: (row["drivers"], row["state"]) for name, row in known.items()} == {
        "one": (["gpu.example.com"], "up"),
        "two": ([], "up"),
    }
    script = printed + 'echo "$node_name" "$pod_uid" "$registry_dir"'
    shown = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert shown == [known["two"]["placeholders"][name] for name in ("node_name", "pod_uid", "registry_dir")]
    assert json.loads(shell.run("status", "--json").stdout) == list(known.values())
    assert "is up already" in shell.run("up", "--name=two", status=4).stderr

    shell.run("down", "--name=one")
    assert list(shell.status()) == ["two"]
    assert "there are two" in shell.run("down").stderr
    shell.run("down", "--all")
    assert shell.status() == {}
    assert [Path(row["run_dir"]).exists() for row in known.values()] == [False, False]
    assert list((shell.folder / "state" / "dra-conformance" / "up").iterdir()) == []


def test_what_a_killed_one_leaves_is_removed(shell: Shell) -> None:
    shell.run("up", "--background", "--kubeconfig=kubeconfig")
    known = shell.status()["default"]
    os.kill(holder("default"), signal.SIGKILL)
    wait_for(lambda: not holder("default"), "the process to be gone", timeout=10)

    listed = shell.run("status")
    assert listed.stdout.splitlines()[1].split()[4] == "dead"
    assert listed.stderr == "removed what was left of cluster default, whose process was killed\n"
    assert shell.run("status").stdout == ""
    assert not Path(known["run_dir"]).exists()
    assert processes_in(known["run_dir"]) == []
    assert not (shell.folder / "kubeconfig").exists()


def test_a_driver_under_development_runs_beside_conformance_runs(shell: Shell) -> None:
    """Started by hand with what was printed; a run of the suite, which sweeps dead ones, disturbs nothing."""
    process = shell.begin("up", "--driver=none")
    said = shell.wait_output("Ctrl-C ends it.")
    values = dict(line.split() for line in said.splitlines() if line.startswith("  {"))
    options = ("kubeconfig", "node_name", "plugins_dir", "registry_dir", "cdi_dir", "pod_uid")
    given = [f"--{name.replace('_', '-')}={values[f'{{{name}}}']}" for name in options]
    command = [sys.executable, "-m", "reference_driver.gpu", *given]
    with subprocess.Popen(command, env=shell.env, stderr=subprocess.DEVNULL) as driver:
        shell.wait_output("driver gpu.example.com is registered on node-a")
        shell.run("run", "--driver=reference", "--check=registration.registers", "-p", "no:cacheprovider", "-q")
        assert driver.poll() is None
        driver.kill()
    shell.wait_output("driver gpu.example.com has lost its connection on node-a")
    with subprocess.Popen(command, env=shell.env, stderr=subprocess.DEVNULL) as driver:
        wait_for(lambda: shell.wait_output("").count("is registered on node-a") == 2, "it to register", timeout=30)
        driver.terminate()
    shell.wait_output("driver gpu.example.com is no longer registered on node-a")
    assert process.poll() is None


def test_a_driver_that_does_not_get_ready_is_told_with_its_log(shell: Shell) -> None:
    (shell.folder / "driver.yaml").write_text(DRIVER_THAT_IS_NEVER_READY)
    failed = shell.run("up", "--background", "--driver=./driver.yaml", status=6)
    assert "driver gpu.example.com is not registered" in failed.stderr
    assert failed.stderr.endswith("no such hardware\n")
    assert shell.status() == {}
    (log,) = (shell.folder / "state").rglob("driver-0.log")
    assert str(log) in failed.stderr
    shell.run("down")
    assert not log.exists()


def test_one_that_is_interrupted_before_it_is_up_ends_with_2(shell: Shell) -> None:
    (shell.folder / "driver.yaml").write_text(DRIVER_THAT_IS_NEVER_READY.replace("0.2", "60"))
    process = shell.begin("up", "--background", "--driver=./driver.yaml")
    wait_for(lambda: shell.status().get("default", {}).get("run_dir"), "the cluster to begin", timeout=30)
    assert shell.status()["default"]["state"] == "starting"
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 2
    assert shell.status() == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--driver=nowhere"], "no driver file named 'nowhere'"),
        (["--driver=none", "--driver=reference"], "--driver=none goes with no other"),
        (["--driver=reference", "--driver=reference"], "is that of another --driver, too"),
        (["--cluster=existing"], "is for dra-conformance run"),
        (["--cluster=embeded"], "did you mean embedded? known are embedded, control-plane, kind"),
        (["--kubeconfig=/tmp"], "--kubeconfig=/tmp is a folder"),
        (["--name=My_Cluster"], "is no name"),
        (["--kubernetes-version=1.36.3"], "is for --cluster=control-plane or kind"),
        (["--cluster=control-plane", "--kubernetes-version=1.20.0"], "has no resource.k8s.io/v1"),
        (["--cluster=control-plane", "--kubernetes-version=latest"], "is no version"),
        (["--registry-prefix=https://registry.example.com"], "is no registry; give a host"),
        (["--kubeconfig=/no/such/folder/config"], "there is no folder /no/such/folder"),
    ],
)
def test_what_cannot_be_is_a_usage_error(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert cli.main(["up", *arguments]) == 4
    captured = capsys.readouterr()
    assert said in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert not home().exists()


def test_nothing_stays_of_one_whose_programs_are_not_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert cli.main(["up", "--cluster=control-plane", f"--kubernetes-binaries={tmp_path}/nope"]) == 4
    assert f"{tmp_path}/nope" in capsys.readouterr().err
    assert list(home().iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--name=nope"], "there is no cluster nope"), (["dev"], "dra-conformance down --name=dev")]
)
def test_ending_what_is_not_there_is_a_usage_error(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert cli.main(["down", *arguments]) == 4
    captured = capsys.readouterr()
    assert said in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_nothing_to_list_or_end(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for arguments in (["status"], ["down"], ["down", "--all"]):
        assert cli.main(arguments) == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("there is no cluster")
    assert cli.main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert not home().exists()


def test_a_state_folder_that_cannot_be_made_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert cli.main(["up", "--driver=none"]) == 6
    assert "set XDG_STATE_HOME to a folder that can" in capsys.readouterr().err
