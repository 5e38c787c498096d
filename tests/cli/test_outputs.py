"""Where commands write: folders are made, what cannot be written is told in a sentence, and no run is written over."""

from pathlib import Path

import pytest

from conformance import cli
from tests.report.recorded import bad_run, copied

__all__ = ["bad_run"]
Captured = pytest.CaptureFixture[str]
COMMANDS = {
    "bundle": ["bundle", "{run}", "-o"],
    "badge": ["badge", "{run}", "-o"],
    "convert": ["report", "convert", "{run}", "--to=junit", "-o"],
    "matrix": ["report", "matrix", "{run}", "-o"],
}
"""Every command with `-o FILE`."""


def typed(command: str, run: Path, output: Path | str) -> int:
    return cli.main([*(word.format(run=run) for word in COMMANDS[command]), str(output)])


@pytest.mark.parametrize("command", COMMANDS)
def test_folders_that_are_missing_are_made(command: str, bad_run: Path, tmp_path: Path) -> None:
    output = tmp_path / "new" / "folders" / "file"
    assert typed(command, bad_run, output) in (0, 1)
    assert output.stat().st_size > 500


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("place", ["/proc/none/file", "a-file/file", "."])
def test_what_cannot_be_written_is_told(
    place: str, command: str, bad_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").touch()
    assert typed(command, bad_run, place) == 4
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "; give another file" in sentence


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["report.json", "history.jsonl", "link"])
def test_no_run_is_written_over(command: str, name: str, bad_run: Path, tmp_path: Path, capsys: Captured) -> None:
    run = copied(bad_run, tmp_path)
    (tmp_path / "link").symlink_to(run / "report.json")
    output = tmp_path / name if name == "link" else run / name
    before = output.read_bytes()
    assert typed(command, run, output) == 4
    assert capsys.readouterr().err.endswith(f"{output}: is what the run has left; give another file with --output\n")
    assert output.read_bytes() == before


def test_a_bundle_does_not_lie_in_what_it_packs(bad_run: Path, tmp_path: Path, capsys: Captured) -> None:
    run = copied(bad_run, tmp_path)
    assert typed("bundle", run, run / "evidence" / "e.tar.gz") == 4
    assert "lies in the folder of the run" in capsys.readouterr().err
    assert not list(run.rglob("*.tar.gz"))


ADD = ["index", "add", "{run}", "{index}", "--organisation=Example", "--driver-version=1.0"]


@pytest.mark.parametrize("place", ["/proc/index", "a-file", "a-file/index", "/sys/index"])
def test_an_index_that_cannot_be_written_is_told(
    place: str, bad_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").touch()
    assert cli.main([word.format(run=bad_run, index=place) for word in ADD]) == 4
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f"{place}: cannot be written (" in sentence
    assert sentence.endswith("; give another folder")
    assert [path.name for path in tmp_path.iterdir()] == ["a-file"]
