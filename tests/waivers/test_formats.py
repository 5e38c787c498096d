"""Whoever reads a report in whatever form sees what is waived, by whom and until when."""

from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conformance.report import CheckResult, Outcome, Report, load
from conformance.report.blocked import blocked, by_waived
from conformance.report.compare import as_markdown, compare
from conformance.report.conclusion import conclude, ending
from conformance.report.github import annotations, step_summary
from conformance.report.html import html
from conformance.report.junit import junit
from conformance.report.matrix import Column, matrix_page
from conformance.report.obligations import exit_meaning, headline
from conformance.report.terminal import summary_text
from conformance.report.verify import verify
from conformance.report.waived import covered, uncovered
from conformance.verdict import Verdict
from conformance.waivers.model import Waiver, Waivers
from tests.report import samples
from tests.session.project import Project
from tests.waivers.files import REPEAT

DAY = date(2026, 11, 30)
ISSUE = "https://example.com/17"


def waivers(*changes: dict[str, str]) -> Waivers:
    given = {**REPEAT, "check": "preparation.repeat_same_devices"}
    found = tuple(Waiver.model_validate({**given, **change}) for change in changes)
    return Waivers("waivers.yaml", "0" * 64, DAY, found, tuple(range(len(found))))


FAILED = samples.broken_check()
WAIVED = covered(FAILED, waivers({}))
GOOD = samples.good_checks()


def report(*checks: CheckResult) -> Report:
    concluded = conclude(ending(checks))
    return samples.report(concluded.outcome, list(checks), exit_status=concluded.status, reason=concluded.reason)


def test_waiving_can_be_undone_and_done_again() -> None:
    assert WAIVED.verdict is Verdict.WAIVED
    assert uncovered(WAIVED).verdict is Verdict.FAIL
    assert covered(WAIVED, waivers({})) == WAIVED, "as in a run that is taken up again"
    assert covered(WAIVED, None).verdict is Verdict.FAIL
    assert covered(WAIVED, waivers({"expires": "2026-11-29"})).verdict is Verdict.FAIL
    assert covered(WAIVED, waivers({"expires": "2026-11-30"})).verdict is Verdict.WAIVED, "on its last day it counts"


@pytest.mark.parametrize("verdict", sorted(set(Verdict) - {Verdict.FAIL, Verdict.WARN, Verdict.WAIVED}))
def test_only_what_is_broken_is_waived(verdict: Verdict) -> None:
    result = FAILED.model_copy(update={"verdict": verdict})
    assert covered(result, waivers({})) == result


def test_a_fail_that_names_no_finding_cannot_be_waived() -> None:
    bare = FAILED.model_copy(update={"findings": []})
    assert covered(bare, waivers({"expected": "*"})).verdict is Verdict.FAIL


def needs(id: str, verdict: Verdict, *needed: str) -> CheckResult:
    return samples.check(id, verdict, "Title.", ["PREP-01"], needs=list(needed))


def test_only_what_is_blocked_by_waived_findings_alone_is_excused() -> None:
    root, unsure = WAIVED.id, needs("a.unsure", Verdict.INCONCLUSIVE)
    after, later = needs("a.after", Verdict.BLOCKED, root), needs("a.later", Verdict.BLOCKED, "a.after")
    both, other = needs("a.both", Verdict.BLOCKED, root, "a.unsure"), needs("a.other", Verdict.BLOCKED, "a.unsure")
    idle = needs("a.idle", Verdict.BLOCKED, root, "a.absent")
    checks = [*GOOD, WAIVED, after, later, both, other, idle, unsure]
    assert by_waived(checks) == {"a.after", "a.later", "a.idle"}
    assert conclude(ending([*GOOD, WAIVED, after, later])).outcome is Outcome.WAIVED
    assert conclude(ending([*GOOD, WAIVED, both, unsure])).status == 6
    assert conclude(ending([*GOOD, FAILED, after])).status == 1
    assert [group.needs for group in blocked(report(*GOOD, WAIVED, after, later))] == [root]


def test_a_part_of_the_checks_with_a_waived_must_says_waived_too() -> None:
    assert conclude(ending([*GOOD, WAIVED], selection="only a part")).outcome is Outcome.WAIVED


def test_whatever_else_is_wrong_the_headline_tells_of_waived_musts() -> None:
    broken = samples.check(
        "a.other", Verdict.FAIL, "Title.", ["UNP-02"], findings=[samples.finding("UNP-02", "it ends", holds=False)]
    )
    unsure = samples.check("a.unsure", Verdict.INCONCLUSIVE, "Title.", ["REG-03"])
    both, neither = report(*GOOD, WAIVED, broken), report(*GOOD, WAIVED, unsure)
    assert "1 of 6 MUST broken (UNP-02), 1 more waived" in headline(both)
    assert headline(neither).startswith("Inconclusive: no MUST is broken beside those that are waived, but 1 check")
    assert exit_meaning(neither) == "no MUST is broken beside those that are waived, but some could not be judged"


def test_a_driver_of_which_nothing_but_waived_findings_is_known_proves_nothing() -> None:
    bare = WAIVED.model_copy(update={"findings": WAIVED.missed})
    assert conclude(ending([bare])).outcome is Outcome.INCONCLUSIVE
    assert conclude(ending([bare], selection="only this check")).outcome is Outcome.WAIVED


def test_in_a_terminal() -> None:
    text = summary_text(report(*GOOD, WAIVED), width=200)
    assert f"waived     by gpu-team until 2999-12-31 ({ISSUE}): The firmware forgets." in text
    assert "Exit status  0, each MUST that is broken is covered by a waiver" in text
    assert "onformant" not in text
    assert "\x1b[1;32mWaived" not in summary_text(report(*GOOD, WAIVED), width=200, colour=True), "no green"


def test_in_junit() -> None:
    root = ET.fromstring(junit(report(*GOOD, WAIVED)))
    (case,) = [case for case in root.iter("testcase") if case.get("name") == WAIVED.id]
    skipped = case.find("skipped")
    assert skipped is not None, "neither a failure nor passed"
    assert skipped.get("type") == "WAIVED"
    assert skipped.get("message") == f"waived by gpu-team until 2999-12-31 ({ISSUE}): The firmware forgets."
    assert "observed: " in str(case.findtext("system-out"))
    assert root.find(".//error") is None
    assert root.find(".//failure") is None


def test_on_the_page(waived_run: Project) -> None:
    page = (waived_run.report_dir / "index.html").read_text()
    assert "<h1>Waived, and no statement of conformance to core" in page
    assert (
        f'by <strong>gpu-team</strong> until 2999-12-31: The firmware forgets. <span class="source"><a href="{ISSUE}"'
        in page
    )
    assert '<h3 id="waivers">Waivers</h3>' in page
    assert page.count('<span class="state w-waives"') == 2


def test_an_issue_that_is_no_address_is_text() -> None:
    bad = covered(FAILED, waivers({"issue": "javascript:alert(1)", "owner": "<b>me</b>"}))
    page = html(report(*GOOD, bad))
    assert 'href="javascript' not in page
    assert "<b>me</b>" not in page


def test_in_the_matrix(waived_run: Project) -> None:
    column = Column.of(verify(waived_run.report_dir), waived_run.report_dir, Path("x"))
    assert (column.said, column.tone) == ("waived", "unsure")
    assert 'title="WAIVED preparation.repeat: waived by gpu-team until 2999-12-31' in matrix_page([column])


def changes(old: CheckResult, new: CheckResult) -> dict[str, int]:
    found = compare(report(*GOOD, old), report(*GOOD, new)).changes
    return {change.value: len(rows) for change, rows in found.items() if rows}


def test_a_waiver_mends_nothing() -> None:
    passed = FAILED.model_copy(update={"verdict": Verdict.PASS, "findings": []})
    assert changes(FAILED, WAIVED) == {"waived": 1}
    assert changes(WAIVED, FAILED) == {"no longer waived": 1}
    assert changes(passed, WAIVED) == {"broken": 1}
    assert changes(WAIVED, passed) == {"mended": 1}
    assert changes(WAIVED, WAIVED) == {}


def test_a_new_finding_in_a_check_that_was_waived_is_something_broken() -> None:
    other = FAILED.model_copy(update={"findings": [samples.finding("PREP-01", "it has one entry", holds=False)]})
    assert changes(WAIVED, other) == {"broken": 1}
    markdown = as_markdown(compare(report(*GOOD, WAIVED), report(*GOOD, other)))
    assert "WAIVED → FAIL" in markdown


def test_a_report_that_was_changed_is_not_green_by_its_waivers(waived_run: Project, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    text = (waived_run.report_dir / "report.json").read_text()
    file.write_text(text.replace('"owner": "gpu-team"', '"owner": "somebody"'))
    assert (load(file).outcome, load(file).exit_status) == (Outcome.INCONCLUSIVE, 6)


def test_github_shows_a_waived_run_as_no_good_one_and_who_answers_for_it() -> None:
    text = step_summary(report(*GOOD, WAIVED))
    assert text.startswith("## ⚠️ Waived, and no statement of conformance")
    assert "### ⚠️ WAIVED preparation.repeat" in text
    assert "gpu-team" in text
    [warning] = annotations(report(*GOOD, WAIVED)).splitlines()
    assert warning.startswith("::warning ")
    assert "gpu-team" in warning
