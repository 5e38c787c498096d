"""A run that is cut short ends its processes and says so in its report."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from conformance.report.model import Outcome
from conformance.session.rundir import RUN_VARIABLE, sweep
from tests.session.project import Project

SUITE = """
@check(id="registration.good", covers=["REG-01"])
def test_good(expect, driver):
    "It holds."
    expect("REG-01").true(True, "it holds")

@check(id="preparation.hangs", covers=["PREP-01"])
def test_hangs(expect, cluster):
    "It waits for ever."
    import os, subprocess, threading
    from pathlib import Path
    run = os.environ["RUN_VARIABLE"]
    child = subprocess.Popen(["sleep", "60"], env={run: str(cluster.backend.run_dir)}, start_new_session=True)
    fifo = os.open("started", os.O_WRONLY)
    os.write(fifo, f"{child.pid}\\n".encode())
    os.close(fifo)
    threading.Event().wait(60)
"""


class Running:
    """A run that has come to the check that hangs; `child` is a process that it started."""

    def __init__(self, project: Project, *arguments: str) -> None:
        project.suite(SUITE)
        project.env["RUN_VARIABLE"] = RUN_VARIABLE
        os.mkfifo(project.folder / "started")
        self.process = subprocess.Popen(
            project.command(*arguments),
            cwd=project.folder,
            env=project.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.child = int((project.folder / "started").read_text())

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal to the first process; returns the exit status and what was printed."""
        self.process.send_signal(number)
        output, _ = self.process.communicate(timeout=20)
        return self.process.returncode, output

    def child_lives(self) -> bool:
        state = Path(f"/proc/{self.child}/stat")
        return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(project: Project, number: signal.Signals) -> None:
    running = Running(project)
    status, output = running.end(number)
    assert status == 2, output
    report = project.report()
    assert report.outcome is Outcome.INTERRUPTED
    assert report.exit_status == 2
    assert [(result.id, str(result.verdict)) for result in report.checks] == [("registration.good", "PASS")]
    assert not running.child_lives()


def test_workers_are_interrupted_too(project: Project) -> None:
    running = Running(project, "-n1")
    status, output = running.end(signal.SIGTERM)
    assert status == 2, output
    assert project.report().outcome is Outcome.INTERRUPTED
    assert not running.child_lives()


def test_killed(project: Project) -> None:
    running = Running(project)
    status, _ = running.end(signal.SIGKILL)
    assert status == -signal.SIGKILL
    report = project.report()
    assert report.outcome is Outcome.INTERRUPTED
    assert report.exit_status is None
    assert report.reason == "the run did not finish"
    assert running.child_lives()
    sweep()
    assert not running.child_lives()
