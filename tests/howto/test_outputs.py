"""What the documents show as printed fits what the suite prints today: counts that add up, and its own words."""

import re

import pytest

from conformance.catalogue import all_checks
from conformance.report.obligations import EXIT_MEANINGS
from conformance.requirement import Level, catalogue
from conformance.session.options import ON_DEMAND
from tests.howto.blocks import DOCUMENTS
from tests.repository.sources import ROOT

TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in DOCUMENTS}
COUNTED = re.compile(r"^(\d+) checks in [^:\n]+: (\d+ pass,(?:[^.]|\n(?!\n))*?)(?=\n[A-Z])", re.M)
COUNTS = [(name, match) for name, text in TEXTS.items() for match in COUNTED.finditer(text)]


def test_runs_are_shown() -> None:
    assert len(COUNTS) >= 2


@pytest.mark.parametrize(("name", "match"), COUNTS, ids=lambda value: value if isinstance(value, str) else value[1])
def test_a_whole_run_has_all_checks(name: str, match: re.Match[str]) -> None:
    whole = sum(entry.check.profile not in ON_DEMAND for entry in all_checks().values())
    assert int(match[1]) == whole
    assert sum(int(number) for number in re.findall(r"(\d+) [a-z]", match[2])) == whole


@pytest.mark.parametrize("name", TEXTS)
def test_exit_statuses_are_told_in_the_words_of_the_suite(name: str) -> None:
    shown = re.findall(r"^Exit status +(\d), (.*)$", TEXTS[name], re.M)
    assert [row for row in shown if EXIT_MEANINGS[int(row[0])] != row[1]] == []


@pytest.mark.parametrize("name", TEXTS)
def test_obligations_and_checks_that_are_named_exist(name: str) -> None:
    named = {*re.findall(r"\b(?:REG|PREP|UNP|PUB|RS|CDI|HLT|UPG|STS)-\d\d\b", TEXTS[name])}
    assert named - set(catalogue()) == set()
    areas = "|".join({entry.check.area for entry in all_checks().values()})
    checks = set(
        re.findall(rf"(?<=--check=)(?:{areas})\.[a-z_]+|^(?:FAIL|WARN)  ((?:{areas})\.[a-z_]+)", TEXTS[name], re.M)
    )
    assert {check for check in checks if check} - set(all_checks()) - {"unpreparing.twice"} == set()


def test_not_more_is_owed_than_there_is() -> None:
    musts = sum(row.level is Level.MUST for row in catalogue().values())
    for text in TEXTS.values():
        for held, owed in re.findall(r"(\d+) of (\d+)\s+MUST", text):
            assert int(held) <= int(owed) <= musts
