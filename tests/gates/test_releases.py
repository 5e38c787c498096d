"""A released catalogue never changes, and what has changed since is told."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from conformance import __version__, cli
from conformance.identity import catalogue_digest
from conformance.released import differences, names, now, read
from tests.repository.sources import ROOT

PAGE = (ROOT / "docs" / "releases.md").read_text(encoding="utf-8")
FROZEN = sorted((ROOT / "conformance" / "released").glob("v*.json"))
ROW = re.compile(
    r"^\| (?P<kubernetes>[\d.]+) \| (?P<suite>[\d.]+) \| (?P<MUST>\d+) \| (?P<SHOULD>\d+) \| (?P<MAY>\d+) "
    r"\| (?P<checks>\d+) \| `(?P<digest>\w{64})` \| .* `(?P<file>\w{64})` \|$",
    re.MULTILINE,
)
ROWS = {match["kubernetes"]: match for match in ROW.finditer(PAGE)}


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.name)
def test_a_released_catalogue_is_as_it_was(path: Path) -> None:
    row = ROWS[path.name[1:-5]]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == row["file"]
    frozen = read(row["kubernetes"])
    assert (frozen.suite, frozen.digest) == (row["suite"], row["digest"])
    assert {name: str(count) for name, count in frozen.counts().items()} == {
        name: row[name] for name in ("MUST", "SHOULD", "MAY", "checks")
    }
    assert path.read_text(encoding="utf-8") == frozen.text()


def test_every_release_of_the_page_has_its_catalogue() -> None:
    assert list(ROWS) == names()


def test_what_has_changed_since_is_told() -> None:
    since = PAGE.partition("## Since then\n")[2].partition("\n## ")[0]
    changes = [(id, what) for id, what in differences(read(names()[-1]), now()) if (id, what) not in new_checks()]
    untold = [f"{id} {what}" for id, what in changes if id not in since]
    assert untold == [], "name these in docs/releases.md under `Since then`"


def new_checks() -> set[tuple[str, str]]:
    """They come with most changes of the suite, and ask for nothing that was not asked for before."""
    return {(id, "is new") for id in now().checks}


def test_differences_are_found() -> None:
    old = read("1.37")
    requirements = json.loads(json.dumps(old.requirements))
    requirements["REG-01"]["level"] = "SHOULD"
    requirements["REG-02"]["statement"] = "Something else."
    requirements["NEW-01"] = {**requirements.pop("REG-03"), "id": "NEW-01"}
    checks = {id: row for id, row in old.checks.items() if id != "registration.registers"}
    assert list(differences(old, replace(old, requirements=requirements, checks=checks))) == [
        ("REG-01", "has another level"),
        ("REG-02", "says something else"),
        ("REG-03", "is no longer there"),
        ("NEW-01", "is new, a MUST"),
        ("registration.registers", "is no longer there"),
    ]
    assert list(differences(old, old)) == []


def test_the_command_names_the_catalogue_as_reports_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["catalogue"]) == 0
    printed = capsys.readouterr().out
    for words in (f"suite {__version__}", f"SHA-256 {catalogue_digest()}", f"since the release for {names()[-1]}: "):
        assert words in printed
    assert cli.main(["catalogue", "v1.37", "--json"]) == 0
    assert capsys.readouterr().out == FROZEN[0].read_text(encoding="utf-8")


def test_a_release_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["catalogue", "1.20"]) == 4
    assert "no catalogue was released for 1.20; there are 1.37" in capsys.readouterr().err
