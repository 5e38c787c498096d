"""What GitHub Actions shows: markdown that a driver's text cannot leave, commands that it cannot make up."""

import html
import re
from pathlib import Path

import pytest

from conformance.report import Outcome, Report
from conformance.report.github import MOST_BYTES, annotations, step_summary
from conformance.report.markdown import block, escaped
from conformance.session.github import add_summary, in_log
from conformance.target.load import drivers_folder
from conformance.verdict import Verdict
from tests.report import samples
from tests.session.project import Project, project

__all__ = ["project"]
COMMAND = re.compile(r"::(error|warning) file=([^:,\s]*),title=([^:,\n]*)::([^\n]*)")
EVIL = "a|b`c\n::error::mine\n| x |<img src=x> @somebody ](http://evil) %0A#1 ]]>"


def hostile() -> Report:
    found = samples.finding("PREP-05", EVIL, holds=False, got=EVIL, want="````")
    bad = samples.check("preparation.hostile", Verdict.FAIL, EVIL, ["PREP-05"], message=EVIL, findings=[found])
    return samples.report(Outcome.NOT_CONFORMANT, [bad], exit_status=1, notes=[EVIL])


@pytest.mark.parametrize(
    ("report", "head"),
    [
        (samples.good(), "## ✅ Conformant to core at 1.37: "),
        (samples.bad(), "## ❌ Not conformant to core at 1.37: "),
        (samples.interrupted(), "## ❌ Interrupted after 4 checks: SIGTERM"),
        (samples.empty(), "## ❌ No verdict, no check was collected"),
    ],
)
def test_the_summary_begins_with_the_verdict(report: Report, head: str) -> None:
    assert step_summary(report).startswith(head)


def test_the_summary_has_findings_with_their_source_and_a_fold_of_all_checks() -> None:
    text = step_summary(samples.bad())
    assert "### ❌ FAIL preparation.repeat&#95;same&#95;devices\n" in text
    assert "[KEP-4381, NodePrepareResources](https://github.com/kubernetes/enhancements/issues/4381)" in text
    assert "### ⚠️ WARN registration.newest&#95;first\n" in text
    assert "<details><summary>12 checks</summary>" in text
    assert "--check=preparation.repeat_same_devices\n" in text


def test_text_of_a_driver_stays_text_in_markdown() -> None:
    line = escaped(EVIL)
    assert "\n" not in line
    assert not set(line) & set("|`<>@[]")
    assert html.unescape(line) == " ".join(EVIL.split())


def test_a_fence_is_longer_than_what_it_holds() -> None:
    assert block("```` and `````")[0] == "``````text"
    assert step_summary(hostile()).count("\n`````text\n") == 1


def test_annotations_are_one_line_each_that_says_all() -> None:
    lines = annotations(samples.bad()).splitlines()
    found = [COMMAND.fullmatch(line) for line in lines]
    assert [match and (match[1], match[2], match[3]) for match in found] == [
        ("error", "gpu.yaml", "FAIL preparation.repeat_same_devices"),
        ("error", "gpu.yaml", "INCONCLUSIVE unpreparing.after_reboot"),
        ("warning", "gpu.yaml", "WARN registration.newest_first"),
        ("warning", "gpu.yaml", "WAIVED publishing.version_attributes"),
    ]
    assert "%0A  observed: " in lines[0]


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("gpu.yaml", "file=gpu.yaml,"),
        ("deploy/conformance/driver.yml", "file=deploy/conformance/driver.yml,"),
        ("conformance/drivers/reference.yaml", "file=conformance/drivers/reference.yaml,"),
        ("reference", ""),
        (str(drivers_folder() / "reference.yaml"), ""),
        ("", ""),
    ],
)
def test_an_annotation_has_a_file_only_where_the_repository_may_have_it(file: str, place: str) -> None:
    report = samples.bad()
    report.driver.file = file
    for line in annotations(report).splitlines():
        assert line.split(" ", 1)[1].startswith(f"{place}title=")


def test_a_driver_cannot_make_up_an_annotation() -> None:
    [line] = annotations(hostile()).splitlines()
    assert COMMAND.fullmatch(line)
    assert "%250A" in line
    text = in_log(hostile(), "::error::mine\n", {"GITHUB_ACTIONS": "true"})
    stop, _, begin = (text.splitlines()[number] for number in (0, 1, 3))
    assert (stop.removeprefix("::stop-commands::"), stop[:17]) == (begin.strip(":"), "::stop-commands::")


def test_a_long_report_is_cut_before_github_refuses_it() -> None:
    finding = samples.finding("PREP-05", "it holds", holds=False, got="x" * 15_000)
    bad = samples.check("preparation.long", Verdict.FAIL, "Long.", ["PREP-05"], findings=[finding])
    text = step_summary(samples.report(Outcome.NOT_CONFORMANT, [bad] * 200, exit_status=1))
    assert len(text.encode()) < MOST_BYTES
    assert text.endswith("There is more than GitHub shows here; the report has all of it.\n")


def test_elsewhere_nothing_is_written(tmp_path: Path) -> None:
    add_summary(samples.good(), {})
    assert in_log(samples.good(), "text", {}) == "text"
    add_summary(samples.good(), {"GITHUB_STEP_SUMMARY": str(tmp_path / "no" / "such")})
    assert list(tmp_path.iterdir()) == []


def test_a_run_in_a_step_tells_github(project: Project) -> None:
    project.suite("""
        @check(id="preparation.bad", covers=["PREP-05"])
        def test_bad(expect, driver):
            "It can be repeated."
            expect("PREP-05").equal("password=sesame-1234", "", "it holds")
    """)
    summary = project.folder / "summary.md"
    project.env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    ended = project.run()
    assert ended.returncode == 1
    assert summary.read_text().startswith("## ❌ Not conformant to core")
    assert "\n::error file=fake.yaml,title=FAIL preparation.bad::PREP-05 (MUST)" in ended.stdout
    assert "sesame" not in summary.read_text() + ended.stdout
