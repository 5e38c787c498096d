"""The report's folder is one run's alone, and shows no verdict of another."""

import itertools
import json
from pathlib import Path

import pytest

from conformance.report.text import duration
from conformance.session.merge import merge_histories
from conformance.session.reportdir import ReportDir
from conformance.target import Target, TargetError
from tests.session.project import Project


def test_a_second_run_goes_to_a_folder_beside_it(tmp_path: Path) -> None:
    first = ReportDir.claim(tmp_path / "report")
    second = ReportDir.claim(tmp_path / "report")
    assert second.path == tmp_path / "report-2"
    assert "in use by another run" in second.note
    first.close()
    third = ReportDir.claim(tmp_path / "report")
    assert third.path == tmp_path / "report"
    second.close()
    third.close()


def test_an_earlier_report_is_removed_and_nothing_else(tmp_path: Path) -> None:
    earlier = ReportDir.claim(tmp_path)
    earlier.begin()
    for name in ("report.json", "index.html", "history.jsonl", "history-gw0.jsonl", "mine.txt"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "evidence" / "a.b").mkdir(parents=True)
    earlier.close()
    later = ReportDir.claim(tmp_path)
    later.begin()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".earlier", ".lock", "mine.txt"]
    later.settle()
    later.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "mine.txt"]


def test_an_earlier_report_comes_back_when_the_run_never_was(tmp_path: Path) -> None:
    earlier = ReportDir.claim(tmp_path)
    earlier.begin()
    (tmp_path / "report.json").write_text("earlier")
    (tmp_path / "evidence" / "a.b").mkdir(parents=True)
    earlier.close()
    later = ReportDir.claim(tmp_path)
    later.begin()
    (tmp_path / "report.json").write_text("later")
    (tmp_path / "history.jsonl").write_text("")
    later.undo()
    later.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "evidence", "report.json"]
    assert (tmp_path / "report.json").read_text() == "earlier"


GOOD = """
@check(id="preparation.good", covers=["PREP-01"])
def test_good(expect, driver):
    "It holds."
    expect("PREP-01").true(True, "it holds")
"""


@pytest.mark.parametrize(
    ("line", "argument", "status", "reason"),
    [
        ("raise KeyboardInterrupt", "", 2, "interrupted by Ctrl-C"),
        ("import os; os._exit(9)", "", 9, "the run did not finish"),
        ("", "-pfails_early", 3, "the run did not finish"),
    ],
)
def test_a_run_that_ends_early_leaves_no_verdict_of_another(
    project: Project, line: str, argument: str, status: int, reason: str
) -> None:
    project.suite(GOOD)
    assert project.run().returncode == 0
    project.file("fails_early.py", "def pytest_sessionstart():\n    raise OSError('early')\n")
    project.suite(line)
    run = project.run_apart(*filter(None, [argument]))
    assert run.returncode == status, run.stdout + run.stderr
    report = project.report()
    assert (report.outcome, report.reason) == ("interrupted", reason)
    assert "interrupted" in (project.report_dir / "index.html").read_text().lower()
    assert not (project.report_dir / "evidence").exists()


@pytest.mark.parametrize("argument", ["--check=preparation.god", "nowhere.py", "--help", "--conformance-timeout=-1"])
def test_a_slip_of_the_pen_leaves_the_earlier_report(project: Project, argument: str) -> None:
    project.suite(GOOD)
    assert project.run().returncode == 0
    before = {path: path.read_bytes() for path in project.report_dir.rglob("*") if path.is_file()}
    assert project.run_apart(argument).returncode in (0, 4)
    assert {path: path.read_bytes() for path in project.report_dir.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("error", "status", "outcome"), [(TargetError("no Go"), 4, "conformant"), (KeyboardInterrupt(), 2, "interrupted")]
)
def test_while_the_driver_is_built(
    project: Project, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, outcome: str
) -> None:
    def build(*_: object) -> None:
        raise error

    project.suite(GOOD)
    assert project.run().returncode == 0
    monkeypatch.setattr(Target, "build", build)
    assert project.run().returncode == status
    assert project.report().outcome == outcome


def test_report_page_and_terminal_agree_on_how_long_it_took(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(1_000)
    monkeypatch.setattr("conformance.session.results.time.time", lambda: float(next(clock) * 100))
    project.suite(GOOD)
    output = project.run().stdout
    report = project.report()
    assert report.finished is not None
    took = duration(report.finished - report.started)
    assert f"1 check in {took}" in output
    assert f"<dt>Took</dt><dd>{took}</dd>" in (project.report_dir / "index.html").read_text()


def test_folders_of_others_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "case.txt").write_text("mine")
    report_dir = ReportDir.claim(tmp_path)
    with pytest.raises(pytest.UsageError, match="has other files in it"):
        report_dir.begin()
    report_dir.close()
    assert (tmp_path / "evidence" / "case.txt").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pytest.UsageError, match="cannot be written"):
        ReportDir.claim(tmp_path / "file" / "report")


def test_histories_of_workers_become_one_in_order_of_time(tmp_path: Path) -> None:
    rows = {"gw0": [(0, 1.0), (1, 3.0)], "gw1": [(0, 2.0)]}
    for worker, events in rows.items():
        text = "".join(json.dumps({"seq": seq, "time": time, "kind": "check"}) + "\n" for seq, time in events)
        (tmp_path / f"history-{worker}.jsonl").write_text(text + '{"seq": 9, "ti')
    merge_histories(tmp_path)
    merged = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert [(row["seq"], row["time"], row["worker"]) for row in merged] == [(0, 1, "gw0"), (1, 2, "gw1"), (2, 3, "gw0")]
    assert [path.name for path in tmp_path.iterdir()] == ["history.jsonl"]
