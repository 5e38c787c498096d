"""A baseline: all that a run has found becomes waivers, by which the same run is green, and never conformant."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import cli
from conformance.report import Outcome, load
from conformance.report.baseline import baseline_text, present
from conformance.report.model import WaiverState
from conformance.report.verify import verify
from conformance.waivers.load import load as load_waivers
from conformance.waivers.model import Waived
from tests.mutants.mutant import all_mutants
from tests.report.recorded import bad_run, copied, edit, part_run
from tests.report.recorded import run as run_without
from tests.session.project import Project
from tests.variants import judge
from tests.waivers.files import FAR, SUITE, run

__all__ = ["bad_run", "part_run"]
GIVEN = ("--owner=gpu-team", "--issue=GPU-17")
TODAY = datetime.now(UTC).date()


class Baseline:
    """The command, and what it has printed to stdout and to stderr."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str | Path) -> int:
        self.capsys.readouterr()
        status = cli.main(["baseline", *map(str, arguments)])
        self.out, self.err = self.capsys.readouterr()
        return status

    def findings(self) -> list[dict[str, Any]]:
        return list(yaml.safe_load(self.out)["findings"])


@pytest.fixture
def baseline(capsys: pytest.CaptureFixture[str]) -> Baseline:
    return Baseline(capsys)


def test_one_command_makes_the_same_run_green_and_not_conformant(baseline: Baseline, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert baseline(run_without(tmp_path / "a", SUITE, status=1), *GIVEN, "--reason=Known for long.") == 0
    assert [(f["check"], f["requirement"], f["owner"], f["reason"], f["issue"]) for f in baseline.findings()] == [
        ("publishing.quiet", "RS-11", "gpu-team", "Known for long.", "GPU-17"),
        ("preparation.repeat", "PREP-05", "gpu-team", "Known for long.", "GPU-17"),
    ]
    assert "  # MUST, observed: busy\n" in baseline.out
    assert baseline.err == "2 findings. A run with these waivers is not conformant where one of them is a MUST.\n"
    again = run(tmp_path / "b", text=baseline.out, status=0).report()
    assert again.outcome is Outcome.WAIVED
    assert again.waivers
    assert {use.state for use in again.waivers.findings} == {WaiverState.WAIVES}


def test_two_runs_of_a_real_driver_find_the_same(baseline: Baseline, tmp_path: Path) -> None:
    """What it says and what the check expects has share ids, paths, UIDs and names in it that are others each time."""
    mutant = next(mutant for mutant in all_mutants() if mutant.name == "S93")
    driver, only = mutant.write_driver_file(tmp_path), ("--check=shares.two_claims", "--check=registration.registers")
    judge(driver, tmp_path / "one", *only)
    assert baseline(tmp_path / "one", *GIVEN, "--observed") == 0
    (found,) = baseline.findings()
    assert found["expected"].startswith("each device of the answer carries the share id of {")
    assert "'*'" in found["expected"]
    file = tmp_path / "waivers.yaml"
    file.write_text(baseline.out)
    judge(driver, tmp_path / "two", *only, f"--waivers={file}")
    one, two = load(tmp_path / "one"), load(tmp_path / "two")
    assert (one.outcome, two.outcome) == (Outcome.NOT_CONFORMANT, Outcome.WAIVED)
    sentences = [finding.sentence for report in (one, two) for check in report.checks for finding in check.missed]
    assert len(set(sentences)) == 2, "so that this test can fail"
    assert verify(tmp_path / "two").problems == []


def test_it_is_good_for_as_many_days_as_are_given(baseline: Baseline, bad_run: Path) -> None:
    assert baseline(bad_run, *GIVEN) == 0
    assert {f["expires"] for f in baseline.findings()} == {TODAY + timedelta(days=90)}
    assert {f["reason"] for f in baseline.findings()} == {f"Known since the baseline of {TODAY}."}
    assert baseline(bad_run, *GIVEN, "--days=7") == 0
    assert {f["expires"] for f in baseline.findings()} == {TODAY + timedelta(days=7)}


def test_what_could_not_be_judged_is_in_no_baseline(baseline: Baseline, bad_run: Path) -> None:
    assert baseline(bad_run, *GIVEN) == 0
    assert [f["check"] for f in baseline.findings()] == [
        "publishing.quiet",
        "preparation.repeat",
        "preparation.caught",
        "preparation.sizes",
    ]
    assert "4 checks could not judge, and no waiver covers that." in baseline.err


def test_what_is_waived_already_keeps_its_owner_and_its_day(baseline: Baseline, waived_run: Project) -> None:
    assert baseline(waived_run.report_dir, *GIVEN) == 0
    assert [(f["owner"], str(f["expires"])) for f in baseline.findings()] == [("api-team", FAR), ("gpu-team", FAR)]
    assert baseline.err.startswith("2 findings, 2 of them waived already.")


def test_several_runs_of_a_driver_with_a_race(baseline: Baseline, bad_run: Path, waived_run: Project) -> None:
    assert baseline(bad_run, waived_run.report_dir, *GIVEN) == 0
    found = [(f["check"], f["requirement"]) for f in baseline.findings()]
    assert ("preparation.caught", "PREP-03") in found
    assert found.count(("preparation.repeat", "PREP-05")) == 1


def test_a_run_without_findings_gives_a_file_without_any(baseline: Baseline, part_run: Path, tmp_path: Path) -> None:
    assert baseline(part_run, *GIVEN) == 0
    file = tmp_path / "waivers.yaml"
    file.write_text(baseline.out)
    assert load_waivers(file, "waivers.yaml", TODAY).findings == ()


def test_text_of_a_driver_adds_no_entry(bad_run: Path) -> None:
    report = load(bad_run)
    next(r for r in report.checks if r.id == "preparation.repeat").findings[0].got = "x\n  - check: everything\n\x1b[2J"
    given = Waived(owner="gpu-team", reason="Known.", issue="GPU-17", expires=TODAY)
    text = baseline_text([report], present([report], given))
    assert len(yaml.safe_load(text)["findings"]) == 4
    assert "\x1b" not in text


def test_a_run_that_was_cut_short_is_told_of(baseline: Baseline, bad_run: Path, tmp_path: Path) -> None:
    cut = edit(copied(bad_run, tmp_path), lambda value: value.update(outcome="interrupted", exit_status=2))
    assert baseline(cut, *GIVEN) == 0
    assert "A run did not come to its end, so there may be more findings." in baseline.err


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--owner=me",), 4, "Missing option '--issue'"),
        (("--owner= ", "--issue=x"), 4, "--owner: give a text of at most 2000 characters."),
        ((*GIVEN, "--days=0"), 4, "Invalid value for '--days'"),
    ],
)
def test_a_waiver_has_an_owner_and_an_issue(
    arguments: tuple[str, ...], status: int, words: str, baseline: Baseline, bad_run: Path
) -> None:
    assert baseline(bad_run, *arguments) == status
    assert words in baseline.err
    assert baseline.out == ""


def test_what_is_no_report_gives_no_baseline(baseline: Baseline, tmp_path: Path) -> None:
    assert baseline(tmp_path, *GIVEN) == 4
    (tmp_path / "report.json").write_text("{}")
    assert baseline(tmp_path, *GIVEN) == 8
    assert baseline.out == ""
