"""Hooks of a driver file: what they are told, and what goes wrong with them."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.cluster.hooks import run_hook
from conformance.history import History
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive, NotRun

VALUES = {"plugins_dir": "/plugins", "node_name": "node-a", "pod_uid": "", "instance": "", "kubeconfig": ""}


def target(folder: Path, *command: str, limit: float = 20) -> Target:
    """A driver file with a hook that removes a device."""
    file = {
        "drivers": [{"name": "gpu.example.com"}],
        "process": {"command": [sys.executable]},
        "hooks": {"removeDevice": command},
        "limits": {"hook": limit},
    }
    path = folder / "driver.yaml"
    path.write_text(json.dumps(file))
    return Target.load(str(path))


def run(target: Target, name: str = "remove_device") -> Sequence[str]:
    """Run a hook for a device; what the history tells of it."""
    history = History()
    run_hook(target, name, VALUES, history, node="node-a", device="gpu-3", pool="node-a/left")
    return [f"{event['action']} {event['phase']}" for event in history.events("disturb")]


def test_it_is_told_which_device_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.com")
    write = (
        "import os, pathlib, sys; pathlib.Path('told').write_text(repr([sys.argv[1:], 'HTTPS_PROXY' in os.environ]))"
    )
    words = ("{device}", "{pool}", "{state_dir}", "{node_name}")
    assert run(target(tmp_path, "{python}", "-c", write, *words)) == [
        "hook removeDevice start",
        "hook removeDevice end",
    ]
    told = ["gpu-3", "node-a/left", "/plugins/gpu.example.com", "node-a"]
    assert (tmp_path / "told").read_text() == repr([told, False])


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit('no such GPU')", "hook removeDevice ended with status 1: no such GPU"),
        ("raise SystemExit(3)", "hook removeDevice ended with status 3: it printed nothing"),
        ("import time; time.sleep(60)", "hook removeDevice took longer than 0.5 s, which is limits.hook"),
    ],
)
def test_one_that_fails_blames_nobody(tmp_path: Path, code: str, words: str) -> None:
    with pytest.raises(Inconclusive, match=words):
        run(target(tmp_path, "{python}", "-c", code, limit=0.5))


def test_one_whose_program_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Inconclusive, match="hook removeDevice"):
        run(target(tmp_path, "./no-such-program"))


def test_one_that_the_driver_file_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(NotRun, match="the driver file has no hook sickenDevice"):
        run(target(tmp_path, "true"), "sicken_device")


def test_a_device_is_meant_in_hooks_only(tmp_path: Path) -> None:
    target(tmp_path, "remove", "{device}", "{pool}")
    (tmp_path / "wrong.yaml").write_text("drivers: [{name: a.example.com}]\nprocess: {command: [sleep, '{device}']}\n")
    with pytest.raises(TargetError, match=r"unknown placeholder \{device\}"):
        Target.load(str(tmp_path / "wrong.yaml"))
