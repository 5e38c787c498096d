"""The checks that ship: found, told apart, and only about requirements and checks that exist."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import conformance.checks
from conformance.catalogue import Entry, all_checks, covering
from conformance.requirement import catalogue
from conformance.session.order import AREAS

CHECKS = list(all_checks().values())
every_check = pytest.mark.parametrize("entry", CHECKS, ids=lambda entry: entry.check.id)

DUPLICATE = '''
from conformance.check import check


@check(id="{id}", covers=())
def test_again() -> None:
    """The same id once more."""
'''


def test_checks_are_sorted_by_id() -> None:
    assert list(all_checks()) == sorted(all_checks())
    assert "registration.registers" in all_checks()


@every_check
def test_covers_known_requirements(entry: Entry) -> None:
    assert set(entry.check.covers) <= set(catalogue())


@every_check
def test_needs_known_checks(entry: Entry) -> None:
    assert set(entry.check.needs) <= set(all_checks())
    assert entry.check.id not in entry.check.needs


@every_check
def test_needs_no_check_that_judges_later(entry: Entry) -> None:
    """Checks that judge at the end come after all others, which would wait for them in vain."""
    later = [id for id in entry.check.needs if all_checks()[id].check.at_end]
    assert entry.check.at_end or later == []


@every_check
def test_id_is_that_of_the_file(entry: Entry) -> None:
    """`<area>.<behaviour>` lives in checks/<area>/test_<behaviour>.py, or beside it in a file about more than that."""
    assert entry.file.parent == Path("conformance/checks", entry.check.area)


def test_every_area_has_its_place_in_the_order_and_no_other_has() -> None:
    assert {entry.check.area for entry in CHECKS} == set(AREAS)


def test_no_circle_of_needs() -> None:
    judged: set[str] = set()
    while ready := [c.check.id for c in CHECKS if c.check.id not in judged and set(c.check.needs) <= judged]:
        judged.update(ready)
    assert judged == set(all_checks())


def test_covering_tells_the_checks_of_a_requirement() -> None:
    assert [entry.check.id for entry in covering("REG-04")] == [
        entry.check.id for entry in CHECKS if "REG-04" in entry.check.covers
    ]
    assert covering("NONE-1") == []


@pytest.fixture
def extra_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules count as checks, as if they were in conformance/checks/."""
    monkeypatch.setattr(conformance.checks, "__path__", [*conformance.checks.__path__, str(tmp_path)])
    all_checks.cache_clear()
    yield tmp_path
    all_checks.cache_clear()
    sys.modules.pop("conformance.checks.test_duplicate", None)


def test_same_id_twice_is_an_error_that_names_both_files(extra_checks: Path) -> None:
    (extra_checks / "test_duplicate.py").write_text(DUPLICATE.format(id="registration.registers"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"test_duplicate\.py and .*both hold a check 'registration\.registers'"):
        all_checks()
