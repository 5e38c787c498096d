"""Every check has a mutant that it kills, and so has every obligation that drivers must keep."""

from conformance.catalogue import all_checks
from conformance.kep5970 import PROFILE
from conformance.requirement import Level, catalogue
from conformance.verdict import Verdict
from tests.mutants.kills import complaints, covering, selection
from tests.mutants.mutant import Mutant, all_mutants
from tests.variants import Judged

MUTANTS = all_mutants()
UNPROVED: set[str] = set()
"""Each MUST that has a check, and no wrong driver yet that shows it."""


def test_faults_have_names_of_their_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_checks_that_catch_them_exist() -> None:
    assert {id for mutant in MUTANTS for id in mutant.caught_by} <= set(all_checks())


def test_each_check_kills_one() -> None:
    """Those of profile kep-5970 do so in tests/kep5970: each has a wrong driver there that only it finds."""
    there = {id for id, entry in all_checks().items() if entry.check.profile == PROFILE}
    assert set(all_checks()) - {id for mutant in MUTANTS for id in mutant.caught_by} - there == set()


def test_each_must_is_broken_by_one() -> None:
    owed = {each.id for each in catalogue().values() if each.level is Level.MUST and not each.unchecked}
    assert owed - {id for mutant in MUTANTS for id in mutant.breaks} == UNPROVED


def test_what_is_asked_of_each_can_be_judged() -> None:
    checks = {id: entry.check for id, entry in all_checks().items()}
    for mutant in MUTANTS:
        asked = set(selection(mutant))
        assert set(mutant.caught_by) <= set(covering(mutant)) <= asked, mutant.name
        assert set(mutant.caught_by) <= asked
        assert {needed for id in asked for needed in checks[id].needs} <= asked, mutant.name


def test_each_says_what_it_breaks() -> None:
    assert [mutant.name for mutant in MUTANTS if not mutant.breaks] == []


def test_what_may_find_it_too_is_a_check() -> None:
    assert {id for mutant in MUTANTS for id in mutant.also} <= set(all_checks())


def test_a_survivor_and_a_stranger_are_complained_of() -> None:
    mutant = Mutant("m", "M00", "Wrong.", ("a.one",), ("REG-01",), "reference", {})
    killed = {"a.one": Judged(Verdict.FAIL, "", frozenset({"REG-01"})), "a.two": Judged(Verdict.PASS, "", frozenset())}
    assert complaints(mutant, killed) == []
    survived = {id: Judged(Verdict.PASS, "", frozenset()) for id in killed}
    assert complaints(mutant, survived) == [
        "found by nothing, and not by a.one",
        "found to break nothing, and not REG-01",
    ]
    unsure = killed | {"a.two": Judged(Verdict.INCONCLUSIVE, "late", frozenset())}
    assert complaints(mutant, unsure) == ["a.two could not judge: INCONCLUSIVE, late"]
    assert complaints(mutant, unsure, whole=True) == []
