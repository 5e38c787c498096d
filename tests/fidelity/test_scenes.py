"""Scheduler and controllers of the embedded cluster do what Kubernetes' do: scenes on both, and how they end."""

import sys

import pytest

from tests.fidelity.scenes.play import differences, play
from tests.fidelity.sides import Clusters

AT_LEAST = 100


def test_both_control_planes_do_the_same(clusters: Clusters, capsys: pytest.CaptureFixture[str]) -> None:
    ours, theirs = play(clusters)
    different = differences(ours, theirs)
    with capsys.disabled():
        sys.stdout.write(f"\nfidelity: {len(theirs) - len(different)} of {len(theirs)} scenes are the same\n")
    assert len(theirs) >= AT_LEAST
    assert not different, "\n\n".join(f"{name}\n{text}" for name, text in different.items())
