"""Mutants are caught by the checks for them and by no other of their area: some in `make test`, all in `make kills`."""

from pathlib import Path

import pytest

from tests.mutants.kills import complaints, selection
from tests.mutants.mutant import Mutant, all_mutants
from tests.variants import judge, sampled


@pytest.mark.parametrize("mutant", sampled(all_mutants(), 12), ids=lambda mutant: mutant.name)
def test_caught_by_its_checks_alone(mutant: Mutant, tmp_path: Path) -> None:
    asked = [f"--check={id}" for id in selection(mutant)]
    judged = judge(mutant.write_driver_file(tmp_path), tmp_path / "report", *asked)
    assert complaints(mutant, judged) == [], mutant.title
