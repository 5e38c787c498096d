"""Workers that are killed: what was theirs to say is missing, in one sentence, and nothing of them stays behind."""

from pathlib import Path

import pytest

from conformance.report.model import Outcome
from conformance.report.verify import verify
from tests.session.project import Project

SUITE = """
import os, signal
from pathlib import Path

@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").true(True, "it does")

@check(id="preparation.killed", covers=["PREP-01"])
def test_killed(expect, cluster):
    "Its process is killed where the test wants that."
    if os.environ["WHERE"] == "check":
        Path("run_dir").write_text(str(cluster.backend.run_dir))
        os.kill(os.getpid(), signal.SIGKILL)
    expect("PREP-01").true(True, "the answer has one entry")
"""
KILLS = """
import os, signal

where, worker = os.environ["WHERE"], os.environ.get("PYTEST_XDIST_WORKER")

def pytest_xdist_newgateway(gateway):
    if (where, gateway.id) in [("start", "gw0"), ("replacement", "gw2")]:
        gateway._io.popen.kill()
        gateway._io.popen.wait()

def pytest_collection():
    if (where, worker) in [("collection", "gw0"), ("replacement", "gw0")]:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("where", ["start", "replacement", "collection"])
def test_before_it_has_collected(project: Project, where: str) -> None:
    project.suite(SUITE)
    project.file("kills.py", KILLS)
    project.env = {"WHERE": where}
    ended = project.run_apart("-n2", "-pkills")
    said = ended.stdout + ended.stderr
    assert ended.returncode == 3, said
    assert "ended before it had collected anything; run with -n0 to see why" in " ".join(said.split())
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert project.report().outcome in (Outcome.ERROR, Outcome.INTERRUPTED)
    assert not verify(project.report_dir).conformant


def test_its_folder_goes_away_with_the_run(project: Project) -> None:
    project.suite(SUITE)
    project.env = {"WHERE": "check"}
    ended = project.run_apart("-n1")
    assert ended.returncode == 6, ended.stdout
    assert project.result("preparation.killed").verdict == "INCONCLUSIVE"
    assert not Path((project.folder / "run_dir").read_text()).exists()
