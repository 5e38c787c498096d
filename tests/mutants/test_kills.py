"""Every mutant is caught by the checks that are for it, and by no other of their area."""

from pathlib import Path

import pytest

from conformance.catalogue import all_checks
from conformance.verdict import Verdict
from tests.mutants.kills import complaints, selection
from tests.mutants.mutant import Mutant, all_mutants
from tests.variants import Judged, judge

MUTANTS = all_mutants()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_caught_by_its_checks_alone(mutant: Mutant, tmp_path: Path) -> None:
    asked = [f"--check={id}" for id in selection(mutant)]
    judged = judge(mutant.write_driver_file(tmp_path), tmp_path / "report", *asked)
    assert complaints(mutant, judged) == [], mutant.title


def test_faults_have_names_of_their_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_checks_that_catch_them_exist() -> None:
    assert {id for mutant in MUTANTS for id in mutant.caught_by} <= set(all_checks())


def test_each_check_kills_one() -> None:
    assert set(all_checks()) - {id for mutant in MUTANTS for id in mutant.caught_by} == set()


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
