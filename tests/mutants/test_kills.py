"""Every mutant is caught by the checks that are for it, and by no other of their area: `make kills`."""

from pathlib import Path

import pytest

from tests.mutants.kills import complaints, selection
from tests.mutants.mutant import Mutant, all_mutants
from tests.variants import judge


@pytest.mark.parametrize("mutant", all_mutants(), ids=lambda mutant: mutant.name)
def test_caught_by_its_checks_alone(mutant: Mutant, tmp_path: Path) -> None:
    asked = [f"--check={id}" for id in selection(mutant)]
    judged = judge(mutant.write_driver_file(tmp_path), tmp_path / "report", *asked)
    assert complaints(mutant, judged) == [], mutant.title
