"""The how-tos work as they stand: from a folder outside the repository, each file is written and each command run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.report.model import Report
from conformance.report.obligations import standings
from conformance.verdict import Verdict
from tests.howto.reading import script, write_files
from tests.repository.sources import ROOT

DOCS = ROOT / "docs"


@pytest.fixture
def env(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a reader: their own state folder, dra-conformance, pytest and kubectl on PATH."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    programs = [str(Path(sys.executable).parent), os.environ["PATH"]]
    env = {
        **kept,
        "PATH": os.pathsep.join(programs),
        "PYTHONPATH": str(ROOT),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    yield env
    subprocess.run([sys.executable, "-m", "conformance.cli", "down", "--all"], env=env, check=True, timeout=60)


def follow(document: Path, folder: Path, env: dict[str, str]) -> str:
    """Do what it says; returns what the commands printed."""
    folder.mkdir()
    write_files(document, folder)
    command = ["bash", "-e", "-o", "pipefail", "-c", script(document)]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_cluster_to_play_with(tmp_path: Path, env: dict[str, str], kubectl: Path) -> None:
    env["PATH"] = f"{kubectl.parent}{os.pathsep}{env['PATH']}"
    said = follow(DOCS / "up.md", tmp_path / "reader", env)
    for text in ("pod/pod0 condition met", "name: gpu-7", 'pod "pod0" deleted'):
        assert text in said
    assert (tmp_path / "reader" / "single-gpu.yaml").read_text() in (
        ROOT / "examples" / "manifests" / "single-gpu.yaml"
    ).read_text()


def test_put_your_driver_under_test(tmp_path: Path, env: dict[str, str], kubectl: Path) -> None:
    env["PATH"] = f"{kubectl.parent}{os.pathsep}{env['PATH']}"
    said = follow(DOCS / "howto-driver.md", tmp_path / "reader", env)
    for text in ("1 check in", "gpu.example.com", "conformance-report/report.json"):
        assert text in said
    report = Report.model_validate_json((tmp_path / "reader" / "conformance-report" / "report.json").read_text())
    verdicts = {result.id: result.verdict for result in report.checks}
    assert verdicts == {"own.attributes": Verdict.PASS, "preparation.one_claim": Verdict.PASS}


def test_write_a_driver(tmp_path: Path, env: dict[str, str], kubectl: Path) -> None:
    """What needs Docker or a real control plane is run in tests/image."""
    env["PATH"] = f"{kubectl.parent}{os.pathsep}{env['PATH']}"
    folder = tmp_path / "reader"
    said = follow(DOCS / "tutorial-driver.md", folder, env)
    for name in ("scratch_driver.py", "scratch-driver.yaml"):
        assert (folder / name).read_text() == (ROOT / "examples" / name).read_text()

    seen, judged, broken = re.split(r"^=+ test session starts =+$", said, flags=re.MULTILINE)
    for text in ("pod/user condition met", "\nfast\n", '"SCRATCH_FAST=/scratch/fast"', 'pod "user" deleted'):
        assert text in seen
    assert list((folder / "disks" / "fast").iterdir()) == []
    assert "Conformant to core" in judged
    assert re.search(r"^\d+ checks in .*: \d+ pass, \d+ not applicable$", judged, re.MULTILINE)
    for text in ("FAIL  preparation.missing_device", "PREP-15", "exit status 1"):
        assert text in broken
    assert all(line.startswith("{") for line in (folder / "driver.log").read_text().splitlines())

    (daemonset,) = yaml.safe_load_all((folder / "deploy" / "40-daemonset.yaml").read_text())
    (container,) = daemonset["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "example.com/scratch-driver:0.1.0"
    assert container["securityContext"]["capabilities"] == {"add": ["DAC_OVERRIDE"], "drop": ["ALL"]}
    assert [mount["name"] for mount in container["volumeMounts"]] == ["disks", "plugin", "registry", "cdi"]
    assert not [path for path in (folder / "deploy").iterdir() if "gpu" in path.read_text()]


def test_checks_of_your_own_beside_ours(tmp_path: Path, env: dict[str, str]) -> None:
    follow(DOCS / "howto-checks.md", tmp_path / "reader", env)
    report = Report.model_validate_json((tmp_path / "reader" / "conformance-report" / "report.json").read_text())
    verdicts = {result.id: result.verdict for result in report.checks}
    assert verdicts["acme.model"] == verdicts["acme.named"] == verdicts["registration.registers"] == Verdict.PASS
    assert report.profiles == ["core"]
    assert not [row for row in standings(report) if row.requirement.id.startswith("ACME")]
