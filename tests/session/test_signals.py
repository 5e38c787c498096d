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
def test_hangs(expect, cluster, request):
    "It waits for ever, and while it is cleaned up further signals come."
    import os, subprocess, threading
    from pathlib import Path
    run = os.environ["RUN_VARIABLE"]
    request.addfinalizer(lambda: [os.kill(os.getpid(), 2), os.kill(os.getpid(), 15)])
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted(project: Project, number: signal.Signals) -> None:
    running = Running(project)
    status, output = running.end(number)
    assert status == 2, output
    report = project.report()
    assert report.outcome is Outcome.INTERRUPTED
    assert report.exit_status == 2
    assert [(result.id, str(result.verdict)) for result in report.checks] == [("registration.good", "PASS")]
    assert not running.child_lives()


def test_ignored_signals_stay_ignored(project: Project) -> None:
    """As with nohup."""
    project.suite("""
        @check(id="registration.good", covers=["REG-01"])
        def test_good(expect, driver):
            "It holds, whatever comes."
            import os, signal
            os.kill(os.getpid(), signal.SIGHUP)
            expect("REG-01").true(True, "it holds")
    """)
    nohup = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *project.command()]
    ended = subprocess.run(nohup, cwd=project.folder, env=project.environment(), capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout


def test_a_signal_that_python_drops(project: Project) -> None:
    project.suite("""
        class Trap:
            def __del__(self):
                import os, signal
                os.kill(os.getpid(), signal.SIGTERM)

        @check(id="registration.good", covers=["REG-01"])
        def test_good(expect, driver):
            "It holds."
            expect("REG-01").true(True, "it holds")
            Trap()

        @check(id="registration.next", covers=["REG-01"])
        def test_next(expect, driver):
            "It is not tried any more."
            expect("REG-01").true(True, "it holds")
    """)
    ended = project.run_apart()
    assert ended.returncode == 2, ended.stdout
    report = project.report()
    assert (report.outcome, report.reason) == (Outcome.INTERRUPTED, "terminated by SIGTERM")
    assert [result.id for result in report.checks] == ["registration.good"]


def test_interrupted_while_collecting(project: Project) -> None:
    """What was open then is an error of no test, whatever the project makes of warnings."""
    project.suite("open(__file__)\nraise KeyboardInterrupt")
    ended = project.run_apart("-Werror")
    assert ended.returncode == 2, ended.stderr


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


def test_workers_end_when_the_controller_is_killed(project: Project) -> None:
    running = Running(project, "-n1")
    running.end(signal.SIGKILL)  # and until nobody holds its output any more, which the workers do
    assert not running.child_lives()
