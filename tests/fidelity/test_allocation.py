"""The embedded cluster gives pods the nodes and devices that Kubernetes gives them: at least 100 problems, compared."""

import sys

import pytest

from tests.fidelity.allocation.families import FAMILIES
from tests.fidelity.allocation.run import solve
from tests.fidelity.sides import Clusters

SEED = 1
PROBLEMS = 102


def test_both_schedulers_come_to_the_same(clusters: Clusters, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = solve(clusters.ours.api, clusters.theirs.api, SEED, PROBLEMS)
    with capsys.disabled():
        sys.stdout.write(f"\n{outcome}\n")
    assert set(outcome.kinds) == {family.__name__ for family in FAMILIES}
    # Asked once more where they differ: on a busy machine one side may be late, but a defect is there again.
    apart = [difference.problem.name for difference in outcome.differences]
    again = solve(clusters.ours.api, clusters.theirs.api, SEED, PROBLEMS, only=apart).differences if apart else ()
    assert not again, "\n".join(map(str, again[:10]))
