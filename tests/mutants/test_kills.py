"""Every mutant is caught by the checks that are for it, and by no other."""

from pathlib import Path

import pytest

from conformance.verdict import Verdict
from tests.mutants.mutant import FINDING, Mutant, all_mutants
from tests.variants import run

UNTOUCHED = (Verdict.PASS, Verdict.BLOCKED, Verdict.NOT_APPLICABLE)


@pytest.mark.parametrize("mutant", all_mutants(), ids=lambda mutant: mutant.fault)
def test_caught_by_its_checks_alone(mutant: Mutant, tmp_path: Path) -> None:
    verdicts = run(mutant.write_driver_file(tmp_path), tmp_path / "report")
    found = {id for id, verdict in verdicts.items() if verdict in FINDING}
    assert found == set(mutant.caught_by), f"{mutant.title} Findings: {sorted(found)}"
    others = {id: verdict for id, verdict in verdicts.items() if id not in found and verdict not in UNTOUCHED}
    assert others == {}, f"{mutant.title} Checks that could not judge: {others}"


def test_families_have_two_mutants_each() -> None:
    caught = [check for mutant in all_mutants() for check in mutant.caught_by]
    families = ("registration", "publishing", "allocation", "injection", "restart unpreparing", "upgrade")
    for family in families:
        assert sum(check.partition(".")[0] in family.split() for check in caught) >= 2, family
