"""What the tutorial does with Docker and on a real control plane: its image starts, its manifests are taken."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.binaries import Binaries
from tests.howto.reading import script, write_files
from tests.variants import ROOT

TUTORIAL, SECTION = ROOT / "docs" / "tutorial-driver.md", "6. Onto a cluster"
TAG = "example.com/scratch-driver:0.1.0"


@pytest.fixture
def env(asked_for: None, tmp_path: Path, kubectl: Path) -> Iterator[dict[str, str]]:
    """The environment of a reader, in the folder of the test with the files of the tutorial."""
    write_files(TUTORIAL, tmp_path)
    programs = [str(Path(sys.executable).parent), str(kubectl.parent), os.environ["PATH"]]
    added = {"PATH": os.pathsep.join(programs), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state")}
    env = {**os.environ, **added}
    yield env
    subprocess.run([sys.executable, "-m", "conformance.cli", "down", "--all"], env=env, check=True, timeout=60)


def follow(env: dict[str, str], folder: Path, *kinds: str) -> str:
    """Run its commands; what they printed."""
    commands = "\n".join(script(TUTORIAL, kind, section=SECTION) for kind in kinds)
    command = ["bash", "-e", "-o", "pipefail", "-c", commands]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_driver_is_in_its_image(env: dict[str, str], tmp_path: Path) -> None:
    follow(env, tmp_path, "sh docker")
    started = ["docker", "run", "--rm", TAG, "--help"]
    done = subprocess.run(started, capture_output=True, text=True, check=True, timeout=60)
    assert "A DRA driver for scratch disks." in done.stdout
    subprocess.run(["docker", "image", "rm", TAG], check=True, timeout=60)


def test_a_real_api_server_takes_its_manifests(env: dict[str, str], tmp_path: Path, binaries: Binaries) -> None:
    said = follow(env, tmp_path, "sh", "sh cluster")
    assert binaries
    assert "daemonset.apps/scratch-driver created" in said
    assert "validatingadmissionpolicy.admissionregistration.k8s.io/scratch-driver-slices created" in said
