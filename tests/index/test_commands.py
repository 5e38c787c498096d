"""The index as a user types it, and each command of docs/public-index.md."""

import re
import shlex
from pathlib import Path

import pytest

from conformance import cli
from tests.report.recorded import bad_run
from tests.repository.sources import ROOT

__all__ = ["bad_run"]
Captured = pytest.CaptureFixture[str]
DOCUMENT = (ROOT / "docs/public-index.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ {4}dra-conformance (.*)$", DOCUMENT, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, bad_run: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a report in it, which the commands are typed in."""
    (tmp_path / "conformance-report").symlink_to(bad_run)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(command: str) -> int:
    return cli.main(shlex.split(command))


def test_commands_of_the_document(folder: Path, capsys: Captured) -> None:
    add, check, site = COMMANDS
    assert typed(f"{add} --driver-version=1.4.0") == 0, capsys.readouterr()
    assert typed(check) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-2].endswith(": not conformant")
    assert said[-1] == "1 submission, each verdict follows from its history."
    assert typed(site) == 0
    assert (folder / "public/index.html").is_file()


def test_the_version_that_is_missing_is_asked_for(folder: Path, capsys: Captured) -> None:
    assert typed(COMMANDS[0]) == 8
    assert "metadata.yaml:1: version is missing, as the report has none; add it" in capsys.readouterr().err


def test_standings_of_the_document_are_those_of_the_code() -> None:
    from conformance.index.entry import Standing

    assert re.findall(r"^\| ([a-z ]+) \|", DOCUMENT.partition("## What an entry means")[2], re.MULTILINE) == list(
        Standing
    )


def test_an_index_with_a_problem_is_not_shown(folder: Path, capsys: Captured) -> None:
    typed(f"{COMMANDS[0]} --driver-version=1.4.0")
    (folder / "index/submissions/README.md").touch()
    for command in COMMANDS[1:]:
        assert typed(command) == 8
        assert capsys.readouterr().err == ("submissions/README.md: is a file where only folders belong; remove it\n")
    assert not (folder / "public").exists()


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_no_index_and_an_empty_one(command: str, folder: Path, capsys: Captured) -> None:
    assert typed(command) == 4
    assert "index/submissions: there is no such folder; give the folder of an index" in capsys.readouterr().err
    (folder / "index/submissions").mkdir(parents=True)
    assert typed(command) == 5
    assert capsys.readouterr().err == "index: holds no submission; `dra-conformance index add` makes one\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "index add nothing index --organisation=x",
            "nothing: there is no such file; give a report.json or its folder",
        ),
        ("index site index -o conformance-report", "conformance-report: is there, and is no site of an index"),
    ],
)
def test_a_slip_of_the_pen(command: str, said: str, folder: Path, capsys: Captured) -> None:
    assert typed(f"{COMMANDS[0]} --driver-version=1.4.0") == 0
    assert typed(command) == 4
    assert said in capsys.readouterr().err
    assert typed(f"{COMMANDS[0]} --driver-version=1.4.0") == 4
    assert "is there already; remove it to replace it" in capsys.readouterr().err
