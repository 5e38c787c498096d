"""What proves nothing is never shown as good, in no format, and `verify` says why."""

import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conformance import cli
from conformance.report import Report, ReportError, load
from conformance.report.badge import GREEN, badge
from conformance.report.conclusion import GOOD as GOOD_OUTCOMES
from conformance.report.ctrf import ctrf
from conformance.report.formats import FORMATS
from conformance.report.github import annotations, step_summary
from conformance.report.html import html
from conformance.report.junit import junit
from conformance.report.matrix import Column
from conformance.report.sarif import sarif
from conformance.report.terminal import summary_text
from conformance.report.verify import verify
from tests.report.recorded import GOOD, copied, edit, good_run, run
from tests.session.project import Project

__all__ = ["good_run"]
Make = Callable[[Path, Path], Path]

HANGS = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").true(True, "it does")

@check(id="preparation.hangs", covers=["PREP-01"])
def test_hangs(expect, driver):
    "It waits for ever."
    import threading
    open("started", "w").close()
    threading.Event().wait(60)
"""


def zero_checks(_: Path, folder: Path) -> Path:
    """A run that selects nothing."""
    return run(folder, GOOD, "-k", "nothing", status=5)


def zero_checks_that_say_conformant(good: Path, folder: Path) -> Path:
    return edit(copied(good, folder), lambda value: value.update(checks=[], requirements=[]))


def missing_footer(good: Path, folder: Path) -> Path:
    return edit(copied(good, folder), lambda value: value.pop("footer"), seal=False)


def published_nothing(_: Path, folder: Path) -> Path:
    """All is well with the driver, except that it has no devices."""
    return run(folder, GOOD, status=6, FAKE_DRIVER="empty")


def killed_half_way(_: Path, folder: Path) -> Path:
    """A run that gets SIGKILL while a check waits."""
    project = Project(folder)
    project.suite(HANGS)
    started = folder / "started"
    subprocess.run(["mkfifo", str(started)], check=True)
    with subprocess.Popen(
        project.command(), cwd=folder, env=project.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        started.read_text()
        process.send_signal(signal.SIGKILL)
    return project.report_dir


def edited(good: Path, folder: Path) -> Path:
    return edit(copied(good, folder), lambda value: value.update(tier="observe"), seal=False)


CASES: dict[Make, str] = {
    zero_checks: "has no checks, so it says nothing about the driver",
    zero_checks_that_say_conformant: "has no checks, so it says nothing about the driver",
    missing_footer: "has no footer, although its run has finished: it was cut",
    published_nothing: "the driver fake.example.com has published no device",
    killed_half_way: "has no footer, so the run did not come to its end: it was killed half-way or still goes on",
    edited: "was changed after its run",
}


def looks_good(report: Report, folder: Path) -> list[str]:
    """The formats in which a report looks like a good one."""
    root = ET.fromstring(junit(report))
    results = json.loads(ctrf(report))["results"]
    [findings] = json.loads(sarif(report))["runs"]
    found = {
        "outcome": report.outcome in GOOD_OUTCOMES or report.exit_status == 0,
        "JUnit": root.find(".//failure") is None and root.find(".//error") is None,
        "CTRF": results["summary"]["failed"] == 0 or results["environment"]["healthy"],
        "SARIF": not findings["results"] or findings["invocations"][0]["executionSuccessful"],
        "GitHub's summary": step_summary(report).startswith("## ✅"),
        "GitHub's annotations": "::error " not in annotations(report),
        "page": bool(re.search(r"<h1[^>]*>\s*Conformant", html(report))),
        "terminal": "\x1b[1;32m" in summary_text(report, colour=True) or "Conformant to" in summary_text(report),
        "badge": GREEN in badge(verify(folder)),
        "matrix": Column.of(verify(folder), folder, folder).tone == "good",
    }
    return [name for name, good in found.items() if good]


def test_a_good_run_looks_good_everywhere(good_run: Path) -> None:
    """So that what follows can fail."""
    found = looks_good(load(good_run), good_run)
    formats = ["JUnit", "CTRF", "SARIF", "GitHub's summary", "GitHub's annotations"]
    assert found == ["outcome", *formats, "page", "terminal", "badge", "matrix"]


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_it_looks_good_nowhere_and_verify_says_why(
    make: Make, good_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make(good_run, tmp_path)
    capsys.readouterr()
    assert looks_good(load(folder), folder) == []
    assert cli.main(["verify", str(folder)]) not in (0, 1)
    printed = capsys.readouterr()
    assert CASES[make] in printed.out + printed.err


def test_an_unknown_schema_version_is_read_into_no_format(good_run: Path, tmp_path: Path) -> None:
    folder = edit(copied(good_run, tmp_path), lambda value: value.update(schema_version=7))
    with pytest.raises(ReportError, match="has schema version 7"):
        load(folder)
    verified = verify(folder)
    assert "has schema version 7, and this dra-conformance reads 1" in verified.problems[0]
    assert GREEN not in badge(verified)
    assert Column.of(verified, folder, folder).tone == "unsure"


def test_the_files_of_a_run_that_was_killed_do_not_look_good_either(tmp_path: Path) -> None:
    folder = killed_half_way(tmp_path, tmp_path)
    assert "Conformant to" not in (folder / "index.html").read_text()
    assert ET.parse(folder / "junit.xml").find(".//error") is not None
    assert json.loads((folder / "ctrf.json").read_text())["results"]["summary"]["failed"] == 1


@pytest.mark.parametrize("to", FORMATS)
def test_a_report_that_cannot_be_read_is_given_out_in_no_format(
    to: str, good_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = edit(copied(good_run, tmp_path), lambda value: value.update(schema_version=7))
    assert cli.main(["report", "convert", str(folder), f"--to={to}"]) == 8
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "has schema version 7, and this dra-conformance reads 1" in printed.err
