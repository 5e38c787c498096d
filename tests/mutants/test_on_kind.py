"""Some mutants on a real cluster, with the container runtime and the kubelet that a real driver has to do with."""

import os
from pathlib import Path

import pytest

from tests.mutants.mutant import Mutant, all_mutants
from tests.mutants.on_kind import able, judge_on_kind
from tests.variants import sample

SEED = os.environ.get("DRA_SEED", "7")


@pytest.mark.skipif(os.environ.get("DRA_KIND") != "1", reason="runs with DRA_KIND=1, as `make test-kind` does")
@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("mutant", sample(able(all_mutants()), 5, SEED), ids=lambda mutant: mutant.name)
def test_caught_on_real_nodes(mutant: Mutant, tmp_path: Path) -> None:
    _, wrong = judge_on_kind(mutant, tmp_path)
    assert wrong == [], mutant.title
