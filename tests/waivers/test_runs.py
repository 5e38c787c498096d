"""What waivers change in a run, and what they never do."""

import os
import re
import threading
from pathlib import Path

import pytest

from conformance.report import Outcome, Report, headline
from conformance.report.badge import GREEN, GREY, badge
from conformance.report.model import WaiverState
from conformance.report.verify import verify
from conformance.verdict import Verdict
from tests.session.project import Project
from tests.waivers.files import FAR, QUIET, REPEAT, SUITE, run, write


def states(report: Report) -> list[WaiverState]:
    assert report.waivers is not None
    return [use.state for use in report.waivers.findings]


def test_a_broken_must_that_is_waived_is_green_and_not_conformant(waived_run: Project) -> None:
    report = waived_run.report()
    assert (report.outcome, report.exit_status) == (Outcome.WAIVED, 0)
    assert "onformant" not in headline(report)
    assert "1 of 4 MUST broken and waived (PREP-05)" in headline(report)
    verified = verify(waived_run.report_dir)
    assert (verified.problems, verified.status, verified.conformant) == ([], 0, False)
    assert GREEN not in badge(verified)
    assert GREY in badge(verified)
    assert states(report) == [WaiverState.WAIVES, WaiverState.WAIVES]


@pytest.mark.parametrize(
    "options", [("--check=preparation.repeat",), ("-k", "test_repeat"), ("-n2", "-k", "test_repeat")]
)
def test_a_waived_check_alone_is_waived_and_nothing_more(options: tuple[str, ...], tmp_path: Path) -> None:
    """No MUST was seen to hold, and yet one was judged: the run says no more than that somebody answers for it."""
    project = run(tmp_path / "a", REPEAT, options=options)
    report = project.report()
    assert [(result.id, result.verdict) for result in report.checks] == [("preparation.repeat", Verdict.WAIVED)]
    assert (report.outcome, report.exit_status) == (Outcome.WAIVED, 0)
    assert headline(report).startswith("Waived, and no statement of conformance")
    verified = verify(project.report_dir)
    assert (verified.problems, verified.status, verified.conformant) == ([], 0, False)
    assert GREEN not in badge(verified)


def test_a_waived_should_alone_proves_as_little_as_a_missed_one(tmp_path: Path) -> None:
    only = SUITE.replace('expect("RS-01").true(True, "it holds")', "").replace(
        'covers=["RS-01", "RS-11"]', 'covers=["RS-11"]'
    )
    for name, waivers in (("a", [QUIET]), ("b", [])):
        report = run(tmp_path / name, *waivers, suite=only, options=("--check=publishing.quiet",), status=6).report()
        assert report.outcome is Outcome.INCONCLUSIVE


def test_what_was_found_stays_there_with_who_answers_for_it(waived_run: Project) -> None:
    result = waived_run.result("preparation.repeat")
    (finding,) = result.missed
    assert (result.verdict, finding.got) == (Verdict.WAIVED, "busy")
    assert (
        str(finding.waived)
        == result.message
        == ("waived by gpu-team until 2999-12-31 (https://example.com/17): The firmware forgets.")
    )
    assert waived_run.result("publishing.quiet").verdict is Verdict.WAIVED, "a SHOULD can be waived, too"


def test_a_check_that_needs_a_waived_one_stays_blocked_and_is_excused(waived_run: Project) -> None:
    assert waived_run.result("preparation.after_repeat").verdict is Verdict.BLOCKED
    assert "1 check blocked" in headline(waived_run.report())


def test_the_history_holds_the_waivers_and_the_verdict_as_it_was(waived_run: Project) -> None:
    (event,) = waived_run.history("waivers")
    assert [row["owner"] for row in event["findings"]] == ["gpu-team", "api-team"]
    ends = {row["id"]: row["verdict"] for row in waived_run.history("check") if row["phase"] == "end"}
    assert (ends["preparation.repeat"], ends["publishing.quiet"]) == ("FAIL", "WARN")


def test_pytest_calls_it_an_expected_failure(waived_run: Project) -> None:
    said = (waived_run.folder / "said").read_text()
    assert "2 passed, 1 skipped, 1 xfailed" in said


def test_an_unexpected_pass_is_reported(mended_run: Project) -> None:
    report = mended_run.report()
    assert states(report) == [WaiverState.GONE, WaiverState.WAIVES]
    assert "waivers.yaml:2: the waiver of PREP-05 in preparation.repeat is not needed, an unexpected pass" in str(
        report.notes
    )


def test_a_waived_should_does_not_cost_conformance_as_a_missed_one_does_not(mended_run: Project) -> None:
    report = mended_run.report()
    assert (report.outcome, report.exit_status) == (Outcome.CONFORMANT, 0)
    assert headline(report).endswith("4 of 4 MUST, 1 SHOULD waived")
    assert GREEN in badge(verify(mended_run.report_dir))


def test_an_expired_waiver_does_not_waive(useless_run: Project) -> None:
    report = useless_run.report()
    assert (report.outcome, report.exit_status) == (Outcome.NOT_CONFORMANT, 1)
    assert useless_run.result("preparation.repeat").verdict is Verdict.FAIL
    assert "expired on 2020-01-31 and covers nothing" in str(report.notes)


def test_what_did_not_run_is_told_apart_from_what_is_gone(useless_run: Project) -> None:
    assert states(useless_run.report()) == [WaiverState.EXPIRED, WaiverState.NOT_JUDGED, WaiverState.GONE]
    notes = str(useless_run.report().notes)
    assert "not known whether still needed, as their checks did not get that far: preparation.after_repeat" in notes


def test_another_observation_is_not_waived_where_the_waiver_names_what_was_observed(useless_run: Project) -> None:
    assert useless_run.result("publishing.quiet").verdict is Verdict.WARN


def test_a_finding_that_is_new_in_the_same_check_is_not_waived(tmp_path: Path) -> None:
    """Nor is a MUST made good by the waiver of a SHOULD."""
    suite = SUITE.replace('expect("RS-01").true(True, "it holds")', "")
    suite = f'{suite}    expect("RS-01").true(False, "it holds")\n'
    project = run(tmp_path / "a", REPEAT, QUIET, suite=suite, status=1)
    result = project.result("publishing.quiet")
    assert result.verdict is Verdict.FAIL
    assert [(f.requirement, f.waived is not None) for f in result.missed] == [("RS-11", True), ("RS-01", False)]
    assert verify(project.report_dir).problems == []


def test_workers_of_xdist_give_the_same_report(waived_run: Project, tmp_path: Path) -> None:
    project = run(tmp_path / "a", REPEAT, QUIET, options=("-n1", f"--basetemp={tmp_path}/of-workers"))
    one, other = waived_run.report(), project.report()
    assert other.waivers == one.waivers
    assert {r.id: r.verdict for r in other.checks} == {r.id: r.verdict for r in one.checks}
    assert other.outcome is Outcome.WAIVED
    assert verify(project.report_dir).problems == []


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_a_pipe_is_read_once(waived_run: Project, tmp_path: Path, workers: str) -> None:
    """As bash makes one of `--waivers=<(…)`."""
    project = Project(tmp_path)
    project.suite(SUITE)
    os.mkfifo(tmp_path / "pipe")
    read = (waived_run.folder / "waivers.yaml").read_text()
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=[read])
    writer.start()
    ended = project.run_apart("--waivers=pipe", workers)
    writer.join()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert project.report().outcome is Outcome.WAIVED
    assert verify(project.report_dir).problems == []


@pytest.mark.parametrize(
    ("changes", "sentence", "options"),
    [
        (
            {"check": "preparation.repaet"},
            "waivers.yaml:2: findings[0].check: there is no check preparation.repaet",
            (),
        ),
        ({"requirement": "PREP-01"}, "findings[0].requirement: preparation.repeat judges PREP-05, and", ("-n1",)),
    ],
)
def test_a_wrong_file_is_a_usage_error(
    changes: dict[str, str], sentence: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    project = run(tmp_path / "a", {**REPEAT, **changes}, status=4, options=options)
    assert sentence in (project.folder / "said").read_text()
    assert not (project.report_dir / "report.json").exists()


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    project = run(tmp_path / "a", status=4, options=("--waivers=others.yaml",))
    assert "--waivers=others.yaml: cannot be read (No such file or directory)" in (project.folder / "said").read_text()


def test_waivers_of_checks_that_are_not_selected_are_no_mistake(tmp_path: Path) -> None:
    """Those of the suite are known even where only a part of it runs."""
    other = {**REPEAT, "check": "unpreparing.claim_gone", "requirement": "UNP-04", "expected": "*", "expires": FAR}
    project = run(tmp_path / "a", REPEAT, other, options=("--check=preparation.repeat",))
    assert states(project.report()) == [WaiverState.WAIVES, WaiverState.NOT_JUDGED]


SEEN_BEFORE = """
@check(id="publishing.later", covers=["RS-02"])
def test_later(expect, driver):
    "It is broken; the first time the run is interrupted before the check has ended."
    import os
    from pathlib import Path
    again = os.environ.get("HOW") == "never" or Path("again").exists()
    Path("again").touch()
    try:
        expect("RS-02").equal("later", "", "it is there at once")
    except AssertionError:
        if not again:
            raise KeyboardInterrupt from None
        raise
"""
LATER = {**REPEAT, "check": "publishing.later", "requirement": "RS-02", "expected": "it is there at once"}


def counted(project: Project) -> list[str]:
    """The page's tables, in which verdicts and obligations are counted, and the run in one sentence."""
    page = (project.report_dir / "index.html").read_text()
    return [headline(project.report()), *re.findall(r"<table.*?</table>", page, re.DOTALL)]


def test_a_run_that_was_gone_on_with_counts_what_is_waived_as_one_run_does(tmp_path: Path) -> None:
    """What was waived in the part that was interrupted, after it or in the midst of it counts as ever."""
    suite = SUITE.replace('covers=["RS-01", "RS-11"]', 'covers=["RS-01", "RS-11"], at_end=True') + SEEN_BEFORE
    pages = []
    for how in ("never", "once"):
        (tmp_path / how).mkdir()
        project = Project(tmp_path / how)
        project.suite(suite)
        project.env = {"HOW": how}
        write(project.folder, REPEAT, QUIET, LATER)
        options = ["--waivers=waivers.yaml", "--conformance-seed=7"]
        if how == "once":
            assert project.run(*options).returncode == 2
            options.append("--resume")
        assert project.run(*options).returncode == 0
        assert verify(project.report_dir).problems == []
        assert states(project.report()) == [WaiverState.WAIVES] * 3
        pages.append(counted(project))
    assert pages[0] == pages[1]
    assert "2 of 5 MUST broken and waived" in pages[0][0]
    assert len(pages[0]) > 1
