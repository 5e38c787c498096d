"""No command makes anything of a report that `verify` finds not sound: it says so, and what to do, and exits with 8."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance import cli
from conformance.report.badge import GREY
from tests.report.recorded import bad_run, copied, edit, result

__all__ = ["bad_run"]
Captured = pytest.CaptureFixture[str]
Spoil = Callable[[Path, Path], Path]
COMMANDS = {
    "convert": ["report", "convert", "{}", "--to=junit", "-o", "made"],
    "convert to stdout": ["report", "convert", "{}", "--to=ctrf"],
    "compare as old": ["compare", "{}", "{sound}"],
    "compare as new": ["compare", "{sound}", "{}"],
    "compare as markdown": ["compare", "--markdown", "{sound}", "{}"],
    "baseline": ["baseline", "{}", "--owner=gpu-team", "--issue=GPU-17"],
    "baseline of several": ["baseline", "{sound}", "{}", "--owner=gpu-team", "--issue=GPU-17"],
    "bundle": ["bundle", "{}", "-o", "made"],
}
SHOWN = {"badge": ["badge", "{}", "-o", "made"], "matrix": ["report", "matrix", "{sound}", "{}", "-o", "made"]}


def edited(run: Path, to: Path) -> Path:
    """Somebody has made PASS of a FAIL."""

    def mended(value: dict[str, Any]) -> None:
        result(value, "preparation.repeat").update(verdict="PASS", findings=[])

    return edit(copied(run, to), mended, seal=False)


def resealed(run: Path, to: Path) -> Path:
    """The same, by somebody who knows how a report is sealed: only its history says otherwise."""

    def mended(value: dict[str, Any]) -> None:
        result(value, "preparation.repeat").update(verdict="PASS", findings=[])
        value["counts"]["FAIL"] -= 1
        value["counts"]["PASS"] = value["counts"].get("PASS", 0) + 1

    return edit(copied(run, to), mended)


def truncated(run: Path, to: Path) -> Path:
    """The end of its checks is gone, and the footer with them, as when a run was killed."""

    def cut(value: dict[str, Any]) -> None:
        del value["footer"], value["checks"][3:]

    return edit(copied(run, to), cut, seal=False)


def without_its_footer(run: Path, to: Path) -> Path:
    return edit(copied(run, to), lambda value: value.pop("footer"), seal=False)


def edited_and_alone(run: Path, to: Path) -> Path:
    """There is no history to say so, and yet its footer does."""
    folder = edited(run, to)
    (folder / "history.jsonl").unlink()
    return folder


def cut_history(run: Path, to: Path) -> Path:
    folder = copied(run, to)
    file = folder / "history.jsonl"
    file.write_text(file.read_text()[:-5])
    return folder


SPOILT: list[Spoil] = [edited, resealed, truncated, without_its_footer, edited_and_alone, cut_history]


@pytest.fixture(params=SPOILT, ids=lambda spoil: spoil.__name__)
def spoilt(request: pytest.FixtureRequest, bad_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report that cannot be relied on; what a command makes would be `made` beside it."""
    monkeypatch.chdir(tmp_path)
    spoil: Spoil = request.param
    return spoil(bad_run, tmp_path)


def typed(command: list[str], report: Path, sound: Path) -> list[str]:
    return [word.format(report, sound=sound) for word in command]


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_made_of_it(command: str, spoilt: Path, bad_run: Path, capsys: Captured) -> None:
    assert cli.main(typed(COMMANDS[command], spoilt, bad_run)) == 8
    printed = capsys.readouterr()
    assert printed.out == ""
    (sentence,) = printed.err.splitlines()
    assert f"{spoilt / 'report.json'}: " in sentence
    assert sentence.endswith(f"see dra-conformance verify {spoilt}")
    assert not Path("made").exists()


@pytest.mark.parametrize("command", SHOWN)
def test_pages_say_that_it_is_not_verified(command: str, spoilt: Path, bad_run: Path, capsys: Captured) -> None:
    """They are made anew in any case, as otherwise the ones of an earlier and better report would stay."""
    assert cli.main(typed(SHOWN[command], spoilt, bad_run)) == 8
    assert f"{spoilt / 'report.json'}: " in capsys.readouterr().err
    text = Path("made").read_text()
    assert "not verified" in text
    assert command == "matrix" or GREY in text


@pytest.fixture
def lone(bad_run: Path, tmp_path: Path) -> Path:
    """A report.json as CI keeps it: without its history."""
    return Path(shutil.copy(bad_run / "report.json", tmp_path / "report.json"))


def test_a_lone_report_is_compared_by_its_footer(lone: Path, bad_run: Path, capsys: Captured) -> None:
    assert cli.main(["compare", str(lone), str(lone)]) == 0
    printed = capsys.readouterr()
    assert printed.out.endswith("\n14 unchanged\n")
    said = f"{lone}: history.jsonl is not beside it, so its verdicts are taken as they stand there\n"
    assert printed.err == said * 2


@pytest.mark.parametrize("command", ["convert", "baseline", "bundle"])
def test_nothing_else_is_made_of_a_lone_report(command: str, lone: Path, bad_run: Path, capsys: Captured) -> None:
    assert cli.main(["verify", str(lone)]) == 8
    assert cli.main(typed(COMMANDS[command], lone, bad_run)) == 8
    assert f"{lone}: history.jsonl is not beside it" in capsys.readouterr().err
