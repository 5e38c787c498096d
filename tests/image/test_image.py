"""A driver that is given as a container image is judged like a process, and nothing of it is left."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.binaries import Binaries
from conformance.cluster.local.container import LABEL, remove_leftovers
from conformance.cluster.wait import wait_for
from conformance.session.rundir import RunDir
from conformance.verdict import Verdict
from tests.variants import ROOT, run

JUDGED = 60  # checks at least; the driver file of the example has neither hooks nor configurations
UNJUDGED = {Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.INFO}
HARNESS = """
import itertools, sys, time
from pathlib import Path
from conformance.cluster.embedded import EmbeddedBackend
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target

run = RunDir.create(Path(sys.argv[1]))
backend = EmbeddedBackend(run.path, History(), log_dir=run.path / "logs")
backend.start()
backend.install(Target.load(sys.argv[2])).start()
print(run.path, flush=True)
time.sleep(600)
"""


@pytest.fixture
def engine() -> Iterator[Any]:
    import docker

    client = docker.from_env()
    yield client
    client.close()


def test_on_the_embedded_cluster(driver_file: Path, engine: Any, tmp_path: Path) -> None:
    verdicts = run(driver_file, tmp_path / "report")
    assert set(verdicts.values()) <= {Verdict.PASS, *UNJUDGED}
    assert list(verdicts.values()).count(Verdict.PASS) >= JUDGED
    logs = list((tmp_path / "report" / "logs").glob("driver-image-*.log"))
    assert any("slices published" in log.read_text(encoding="utf-8") for log in logs)
    assert left_behind(engine) == []


def test_on_a_real_control_plane(driver_file: Path, binaries: Binaries, tmp_path: Path) -> None:
    verdicts = run(driver_file, tmp_path / "report", "--cluster=control-plane")
    assert set(verdicts.values()) <= {Verdict.PASS, *UNJUDGED}
    assert list(verdicts.values()).count(Verdict.PASS) >= JUDGED


def test_what_a_killed_harness_left_goes_at_the_next_start(driver_file: Path, engine: Any, run_dir: Path) -> None:
    command = [sys.executable, "-c", HARNESS, str(run_dir), str(driver_file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as harness:
        assert harness.stdout
        folder = harness.stdout.readline().strip()
        wait_for(lambda: folder in runs(engine), "a container to be there", timeout=60)
        harness.kill()
    RunDir.create(run_dir).close()
    assert left_behind(engine) == [folder]
    remove_leftovers()
    assert left_behind(engine) == []


def runs(engine: Any) -> list[str]:
    """The folder of its run, for each container of a driver."""
    return [each.labels[LABEL] for each in engine.containers.list(all=True, filters={"label": LABEL})]


def left_behind(engine: Any) -> list[str]:
    """Those that are gone while their container is not."""
    return [folder for folder in runs(engine) if not Path(folder).exists()]
