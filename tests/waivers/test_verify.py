"""`verify` derives what is waived from the waivers in the history once more: one that was added later is found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance import cli
from conformance.report.model import Report, count
from conformance.report.verify import NOT_SOUND, verify
from tests.report.recorded import bad_run, copied, edit, result
from tests.session.project import Project
from tests.waivers.files import FAR

__all__ = ["bad_run"]
Value = dict[str, Any]
WHO = {"owner": "gpu-team", "reason": "So that it is green.", "issue": "none", "expires": FAR}
FILE = {"file": "waivers.yaml", "sha256": "0" * 64, "day": "2026-11-30"}


def waived(value: Value) -> None:
    """The broken MUST is waived by hand, and everything that follows from it is as a run would have it."""
    check = result(value, "preparation.repeat")
    check["verdict"] = "WAIVED"
    next(f for f in check["findings"] if not f["holds"])["waived"] = WHO
    value["counts"] = {k.value: n for k, n in count(Report.model_validate(value).checks).items()}


def waived_by_a_file(value: Value) -> None:
    waived(value)
    finding = {"check": "preparation.repeat", "requirement": "PREP-05", "expected": "*", "observed": None}
    value["waivers"] = {**FILE, "findings": [{**finding, **WHO, "line": 2, "state": "waives"}]}


def said(folder: Path) -> str:
    verified = verify(folder)
    assert verified.status == NOT_SOUND
    return "\n".join(verified.problems)


@pytest.mark.parametrize("change", [waived, waived_by_a_file])
def test_a_waiver_that_was_added_to_the_report_is_found(
    change: Callable[[Value], None], bad_run: Path, tmp_path: Path
) -> None:
    told = said(edit(copied(bad_run, tmp_path), change))
    assert "preparation.repeat has other findings waived than history.jsonl, which has no waivers, cover" in told
    assert ("something else of its waivers" in told) is (change is waived_by_a_file)


def other_owner(value: Value) -> None:
    next(f for f in result(value, "preparation.repeat")["findings"] if not f["holds"])["waived"]["owner"] = "nobody"


def other_day(value: Value) -> None:
    value["waivers"]["findings"][1]["expires"] = "2998-12-31"


def other_file(value: Value) -> None:
    value["waivers"]["sha256"] = "0" * 64


def no_waivers(value: Value) -> None:
    value["waivers"] = None


def no_longer_waived(value: Value) -> None:
    result(value, "publishing.quiet").update(verdict="WARN")


def says_conformant(value: Value) -> None:
    value.update(outcome="conformant", reason="")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_owner, "preparation.repeat has other findings waived than the waivers in history.jsonl cover"),
        (other_day, "says something else of its waivers than follows from those in history.jsonl"),
        (other_file, "says something else of its waivers than follows from those in history.jsonl"),
        (no_waivers, "says something else of its waivers than follows from those in history.jsonl"),
        (no_longer_waived, "publishing.quiet has other findings waived"),
        (says_conformant, "says conformant, and by its checks it is waived"),
    ],
)
def test_an_edit_of_what_is_waived_is_found(
    change: Callable[[Value], None], words: str, waived_run: Project, tmp_path: Path
) -> None:
    def hand(value: Value) -> None:
        change(value)
        value["counts"] = {k.value: n for k, n in count(Report.model_validate(value).checks).items()}

    assert words in said(edit(copied(waived_run.report_dir, tmp_path), hand))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"findings": []}, "has other findings waived than the waivers in history.jsonl cover"),
        ({"day": "3000-01-01"}, "has other findings waived than the waivers in history.jsonl cover"),
        ({"day": "2020-01-31"}, "has waivers that were held against 2020-01-31, which is no day of the run"),
        ({"day": "some day"}, "history.jsonl has waivers that no run of this version writes"),
    ],
)
def test_waivers_that_were_changed_in_the_history_do_not_cover(
    changes: Value, words: str, waived_run: Project, tmp_path: Path
) -> None:
    folder = copied(waived_run.report_dir, tmp_path)
    history = folder / "history.jsonl"
    rows = [json.loads(line) for line in history.read_text().splitlines()]
    next(row for row in rows if row["kind"] == "waivers").update(changes)
    history.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert words in said(edit(folder, lambda value: None))


def test_analyze_judges_without_waivers(waived_run: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["analyze", str(waived_run.report_dir)]) == 0
    assert "4 checks judged again, none differently.\n2 of them are waived in the report" in capsys.readouterr().out
