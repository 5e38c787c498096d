"""An interrupted run can be gone on with whatever else was tried in its folder, as long as that came to no check."""

import os
import signal
from pathlib import Path

import pytest

from conformance.report.model import Outcome
from conformance.report.verify import verify
from conformance.session import aside
from conformance.session.reportdir import ReportDir
from tests.session.interrupted import SUITE, content, interrupted
from tests.session.project import Project

_EARLY = """
import os

def pytest_collection():
    {}
"""


def gone_on_with(project: Project) -> None:
    """The run in the folder comes to its end as if nothing had been tried meanwhile."""
    resumed = project.run("--resume")
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert "in which 1 check has a verdict" in resumed.stdout
    assert project.report().settings["seed"] == 7
    assert verify(project.report_dir).problems == []


@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["forgotten", "given"])
@pytest.mark.parametrize("what", ["raise KeyboardInterrupt", "raise OSError('early')"])
def test_one_that_is_over_at_once_changes_nothing(project: Project, resume: list[str], what: str) -> None:
    before = content(interrupted(project).report_dir)
    project.file("early.py", _EARLY.format(what))
    early = project.run_apart("-pearly", *resume)
    assert early.returncode == (2 if "Keyboard" in what else 3), early.stdout + early.stderr
    assert ("to go on with that, give its command and --resume" in early.stdout) == (early.returncode == 2)
    assert content(project.report_dir) == before
    gone_on_with(project)


@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["forgotten", "given"])
def test_one_that_is_killed_at_once_changes_nothing(project: Project, resume: list[str]) -> None:
    interrupted(project)
    project.file("early.py", _EARLY.format("os.kill(os.getpid(), 9)"))
    assert project.run_apart("-pearly", *resume).returncode == -signal.SIGKILL
    gone_on_with(project)


def test_one_that_has_come_to_its_checks_is_gone_on_with_itself(project: Project) -> None:
    interrupted(project)
    os.remove(project.folder / "again")
    assert project.run("--conformance-seed=8").returncode == 2
    assert project.run("--resume").returncode == 0
    assert project.report().settings["seed"] == 8


NAMES = ["report.json", ".begun", "evidence", "history.jsonl"]


def _earlier(folder: Path) -> ReportDir:
    """The folder of a run, taken by a later one that has not begun."""
    folder.joinpath(".lock").touch()
    for name in NAMES:
        file = folder / name if "." in name[1:] else folder / name / "file"
        file.parent.mkdir(exist_ok=True)
        file.write_text("earlier")
    return ReportDir.claim(folder)


@pytest.mark.parametrize("renamed", range(len(NAMES) * 2))
def test_killed_while_things_are_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: int) -> None:
    """After any number of steps of setting aside and putting back, the next run finds everything."""
    report_dir, left, rename = _earlier(tmp_path), iter(range(renamed)), Path.rename
    before = content(tmp_path)

    class Killed(BaseException):
        """Nobody cleans up after it."""

    def dies(path: Path, target: Path) -> Path:
        if path.name in NAMES and next(left, None) is None:
            raise Killed
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", dies)
    with pytest.raises(Killed):
        report_dir.begin()
        (tmp_path / "report.json").write_text("later")
        (tmp_path / "history.jsonl").write_text("later")
        report_dir.undo()
    monkeypatch.undo()
    os.close(report_dir._lock)
    later = ReportDir.claim(tmp_path)
    assert content(tmp_path) == before
    later.close()


def test_what_is_dropped_is_never_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report_dir = _earlier(tmp_path)
    report_dir.begin()
    (tmp_path / "report.json").write_text("later")
    monkeypatch.setattr(aside, "remove", lambda _: None)  # as if it were killed before
    report_dir.settle()
    monkeypatch.undo()
    os.close(report_dir._lock)
    ReportDir.claim(tmp_path).close()
    assert content(tmp_path) == {".lock": b"", "report.json": b"later"}


ERRORS = """
import os
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logfinish(nodeid):
    if os.environ["WHERE"] in nodeid:
        raise OSError("a plugin is broken")
"""


@pytest.mark.parametrize(("where", "goes_on"), [("test_registers", True), ("test_one_claim", False)])
def test_an_error_of_the_suite_leaves_what_it_kept_from_being_run(project: Project, where: str, goes_on: bool) -> None:
    """Where it kept nothing, no other run may say that there was none."""
    project.suite(SUITE)
    (project.folder / "again").touch()
    project.file("errors.py", ERRORS)
    project.env = {"WHERE": where}
    assert project.run("-perrors").returncode == 3
    assert project.report().outcome is Outcome.ERROR
    assert project.run("--resume").returncode == (0 if goes_on else 4)
    assert project.report().outcome is (Outcome.CONFORMANT if goes_on else Outcome.ERROR)
