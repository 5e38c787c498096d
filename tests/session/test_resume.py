"""A run that was interrupted is gone on with: its report is that of one that was not, and can be verified."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from conformance.report.model import Outcome
from conformance.report.verify import verify
from tests.session.project import Project

SUITE = """
import os, signal, threading
from pathlib import Path

def interrupted(how):
    "Ends the run the first time, as the test wants it."
    if os.environ.get("HOW") == how and not Path("again").exists():
        Path("again").touch()
        first = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
        os.kill(first, signal.SIGINT if how == "ctrl-c" else signal.SIGKILL)
        threading.Event().wait(60)

def ran(name):
    with open("ran", "a") as file:
        file.write(name + " ")

@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver, history):
    "It registers."
    ran("registers")
    expect("REG-01").true(True, "it does")
    history.record("vain", namespace="a", pod="told", uid="b")

@check(id="registration.warns", covers=["RS-11"])
def test_warns(expect, driver):
    "A SHOULD is broken."
    ran("warns")
    expect("RS-11").equal(3, 1, "it is quiet")

@check(id="preparation.parts", covers=["PREP-02"], features=["partitionable"])
def test_parts(expect, driver):
    "It needs a feature."

@check(id="preparation.one_claim", covers=["PREP-01"], needs=["registration.registers"])
def test_one_claim(expect, driver, cluster):
    "A claim is prepared."
    ran("one_claim")
    interrupted("ctrl-c")
    interrupted("kill")
    expect("PREP-01").true(True, "the answer has one entry")

@check(id="preparation.next", covers=["PREP-05"], needs=["preparation.one_claim", "registration.warns"])
def test_next(expect, driver):
    "It builds on what was judged before."
    ran("next")
    expect("PREP-05").true(True, "it holds")

@check(id="publishing.whole", covers=["RS-11"], needs=["registration.registers"], at_end=True)
def test_whole(expect, driver, history):
    "It judges the whole run."
    ran("whole")
    expect("RS-11").equal([e["pod"] for e in history.events("vain")], [], "no pod waited in vain")
"""


def told(project: Project) -> dict[str, Any]:
    """All that the report says, except when and where."""
    value = json.loads((project.report_dir / "report.json").read_text())
    for name in ("started", "finished", "footer"):
        value.pop(name)
    for row in value["checks"]:
        for name in ("started", "seconds", "worker"):
            row.pop(name)
    return dict(value)


def made(folder: Path, how: str) -> Project:
    folder.mkdir()
    project = Project(folder)
    project.suite(SUITE)
    project.env = {"HOW": how}
    return project


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    project = made(tmp_path_factory.mktemp("once") / "project", "never")
    assert project.run("--conformance-seed=7").returncode == 0
    assert verify(project.report_dir).problems == []
    return told(project)


@pytest.mark.parametrize(
    ("how", "workers"), [("ctrl-c", []), ("kill", []), ("ctrl-c", ["-n1"]), ("kill", ["-n2"])], ids=str
)
def test_the_report_is_that_of_one_run(
    how: str, workers: list[str], uninterrupted: dict[str, Any], tmp_path: Path
) -> None:
    project = made(tmp_path / "project", how)
    begun = project.run_apart("--conformance-seed=7", *workers)
    assert begun.returncode == (2 if how == "ctrl-c" else -signal.SIGKILL), begun.stdout + begun.stderr
    assert project.report().outcome is Outcome.INTERRUPTED
    assert not verify(project.report_dir).conformant
    assert ("give the same command and --resume" in begun.stdout) == (how == "ctrl-c")

    resumed = project.run_apart("--resume", *workers)  # the seed is that of the run that has begun
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert "goes on with a run that was interrupted, in which 3 checks have a verdict" in resumed.stdout
    assert told(project) == uninterrupted
    assert verify(project.report_dir).problems == []
    ran = (project.folder / "ran").read_text().split()
    # What looks at the whole run looks at each part of it.
    assert sorted(ran) == ["next", "one_claim", "one_claim", "registers", "warns", "whole", "whole"]
    assert [result.id for result in project.report().checks if result.verdict == "WARN"] == [
        "registration.warns",
        "publishing.whole",
    ]


BROKEN_BEFORE = """
@check(id="registration.flaky", covers=["REG-01"])
def test_flaky(expect, driver):
    "It is broken, and the run is interrupted before the check has ended."
    import os
    from pathlib import Path
    if not Path("again").exists():
        Path("again").touch()
        try:
            expect("REG-01").true(False, "it holds")
        except AssertionError:
            raise KeyboardInterrupt from None
    expect("REG-01").true(True, "it holds")
"""


def test_a_must_that_was_seen_broken_stays_so(project: Project) -> None:
    project.suite(BROKEN_BEFORE)
    assert project.run().returncode == 2
    assert project.run("--resume").returncode == 1
    assert project.result("registration.flaky").verdict == "FAIL"
    assert verify(project.report_dir).problems == []


@pytest.fixture
def begun(project: Project) -> Project:
    """A project with a run that was interrupted."""
    project.suite(SUITE)
    project.env = {"HOW": "ctrl-c"}
    assert project.run("--conformance-seed=7").returncode == 2
    return project


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--conformance-tier=observe"], "the options are not what they were"),
        (["--conformance-seed=8"], "the seed is not what it was (7, now 8)"),
        (["--cluster=control-plane"], "the cluster is not what it was (embedded, now control-plane)"),
        (["-k", "registers"], "1 checks are selected, and other ones (6) when the run began"),
        (["--report-dir=elsewhere"], "elsewhere holds no run that was interrupted"),
    ],
)
def test_another_run_is_refused(begun: Project, arguments: list[str], why: str) -> None:
    before = (begun.report_dir / "report.json").read_bytes()
    refused = begun.run("--resume", *arguments)
    assert refused.returncode == 4, refused.stdout
    said = refused.stdout + refused.stderr
    assert why in said
    assert (begun.report_dir / "report.json").read_bytes() == before


def test_another_driver_is_refused(begun: Project) -> None:
    begun.file("fake.yaml", (begun.folder / "fake.yaml").read_text() + "limits: {ready: 9}\n")
    refused = begun.run("--resume")
    assert refused.returncode == 4
    assert "the driver file is not what it was in the run that has begun in" in refused.stdout + refused.stderr


def test_waivers_that_come_only_now_are_refused(begun: Project) -> None:
    begun.file("waivers.yaml", "findings: []\n")
    refused = begun.run("--resume", "--waivers=waivers.yaml")
    assert refused.returncode == 4
    assert "the waivers are not what they were in the run that has begun in" in refused.stdout + refused.stderr


def test_another_version_of_the_suite_is_refused(begun: Project) -> None:
    file = begun.report_dir / ".begun" / "run.json"
    run = json.loads(file.read_text())
    run["described"]["suite"] = "another"
    file.write_text(json.dumps(run))
    refused = begun.run("--resume")
    assert refused.returncode == 4
    assert "the suite is not what it was in the run that has begun in" in refused.stdout + refused.stderr


def test_a_history_that_was_cut_by_sigkill_is_mended(begun: Project, uninterrupted: dict[str, Any]) -> None:
    with (begun.report_dir / "history.jsonl").open("a") as file:
        file.write('{"seq": 99, "ki')
    assert begun.run("--resume").returncode == 0
    assert told(begun) == uninterrupted
    assert verify(begun.report_dir).problems == []


def test_a_run_that_has_ended_is_refused_and_stays(project: Project) -> None:
    project.suite(SUITE)
    assert project.run().returncode == 0
    before = (project.report_dir / "report.json").read_bytes()
    assert project.run("--resume").returncode == 4
    assert (project.report_dir / "report.json").read_bytes() == before


def test_it_can_be_interrupted_again(begun: Project, uninterrupted: dict[str, Any]) -> None:
    os.remove(begun.folder / "again")
    assert begun.run("--resume").returncode == 2
    assert begun.report().outcome is Outcome.INTERRUPTED
    assert begun.run("--resume").returncode == 0
    assert told(begun) == uninterrupted
    assert verify(begun.report_dir).problems == []
