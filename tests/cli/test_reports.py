"""What is done with reports, as a user types it; and each command of docs/reports.md."""

import json
import re
from pathlib import Path

import pytest

from conformance import cli
from tests.report.recorded import bad_run, copied, edit, good_run, part_run
from tests.repository.sources import ROOT

__all__ = ["bad_run", "good_run", "part_run"]
Captured = pytest.CaptureFixture[str]
COMMANDS = re.findall(
    r"^ {4}dra-conformance (?!run )(.*)$", (ROOT / "docs/reports.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_document(
    command: str, part_run: Path, bad_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    (tmp_path / "conformance-report").symlink_to(part_run)
    (tmp_path / "old-report").symlink_to(bad_run)
    monkeypatch.chdir(tmp_path)
    assert cli.main(command.split()) == (6 if command.startswith("compare ") else 0), capsys.readouterr()
    written = re.search(r"-o (\S+)", command)
    assert not written or (tmp_path / written[1]).stat().st_size > (0 if "annotations" in command else 500)


def test_verify_of_a_sound_report_says_what_it_says(bad_run: Path, capsys: Captured) -> None:
    assert cli.main(["verify", str(bad_run)]) == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    assert re.match(r"Sound: 14 checks, each verdict follows from the \d+ events of the history\.\n", printed.out)
    assert "\nNot conformant to core" in printed.out


def test_verify_says_each_problem_in_a_line(bad_run: Path, tmp_path: Path, capsys: Captured) -> None:
    folder = edit(copied(bad_run, tmp_path), lambda value: value.update(checks=value["checks"][1:]), seal=False)
    assert cli.main(["verify", str(folder / "report.json")]) == 8
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert len(lines) >= 4
    assert all(line.startswith(f"{folder}/report.json: ") for line in lines)


@pytest.mark.parametrize(
    "command", [["verify"], ["badge", "-o", "x.svg"], ["report", "matrix", "-o", "x.html"], ["analyze"]]
)
def test_a_file_that_is_not_there_is_a_slip_of_the_pen(command: list[str], tmp_path: Path, capsys: Captured) -> None:
    assert cli.main([*command, str(tmp_path / "nothing")]) == 4
    assert "nothing: there is no such file; give " in capsys.readouterr().err


def test_a_page_that_cannot_be_written_is_told(good_run: Path, capsys: Captured) -> None:
    assert cli.main(["badge", str(good_run), "-o", "/proc/badge.svg"]) == 4
    assert "/proc/badge.svg: cannot be written" in capsys.readouterr().err


def test_analyze_tells_the_verdicts_that_differ(bad_run: Path, tmp_path: Path, capsys: Captured) -> None:
    """A history of a suite that had judged otherwise."""
    folder = copied(bad_run, tmp_path)
    history = folder / "history.jsonl"
    rows = [json.loads(line) for line in history.read_text().splitlines()]
    for row in rows:
        if row["kind"] == "check" and row["id"] == "preparation.repeat" and row["phase"] == "end":
            row["verdict"] = "WARN"
    history.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli.main(["analyze", str(history)]) == 1
    assert capsys.readouterr().out == (
        "preparation.repeat  WARN → FAIL  (PREP-05: a repeated Prepare succeeds)\n"
        "14 checks judged again, 1 differently.\n"
    )


def test_analyze_judges_by_the_levels_of_today(bad_run: Path, tmp_path: Path, capsys: Captured) -> None:
    """A history of a suite for which the obligation was a SHOULD."""
    folder = copied(bad_run, tmp_path)
    history = folder / "history.jsonl"
    history.write_text(
        history.read_text().replace(
            '"requirement":"PREP-05","level":"MUST"', '"requirement":"PREP-05","level":"SHOULD"'
        )
    )
    assert cli.main(["analyze", str(folder)]) == 0
    assert capsys.readouterr().out == "14 checks judged again, none differently.\n"


def test_analyze_of_a_history_that_is_cut(good_run: Path, tmp_path: Path, capsys: Captured) -> None:
    file = copied(good_run, tmp_path) / "history.jsonl"
    file.write_text(file.read_text()[:-5])
    assert cli.main(["analyze", str(file)]) == 8
    assert "ends in the middle of line" in capsys.readouterr().err


def test_compare_as_markdown(part_run: Path, bad_run: Path, capsys: Captured) -> None:
    assert cli.main(["compare", "--markdown", str(part_run), str(bad_run)]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("### DRA conformance of fake.example.com: 2 broken, 12 new, 2 unchanged\n")


def test_compare_of_what_is_no_report(part_run: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "report.json").write_text("{}")
    assert cli.main(["compare", str(part_run), str(tmp_path)]) == 8
    assert "is not a report, as it has no schema_version" in capsys.readouterr().err
