"""The reference driver beside the Kubernetes test driver (Go), against one real API server and etcd.

The test driver keeps nothing on disk; ours syncs what it has prepared to the disk before it answers. Each has a node
with no other claim and one that holds 400 already, ours also one that holds 1,000. The rounds of both are interleaved,
so that what else the machine does meets both; ratios are of the median round.
"""

from collections.abc import Iterator
from contextlib import ExitStack

from conformance.session.rundir import RunDir
from conformance.target import Target
from tests.bench.driver import idle, starting, steps
from tests.bench.driver.comparison import Comparison
from tests.bench.driver.control_plane import control_plane
from tests.bench.driver.disk import folder_on_disk
from tests.bench.driver.size import FULL, Size
from tests.bench.figure import Figure, say


def figures(size: Size = FULL) -> Iterator[Figure]:
    """All figures, each as soon as it is known. Raises TargetError, BinariesError, Inconclusive, OSError."""
    reference, other = Target.load("reference"), Target.load("kubernetes-test-driver")
    other.build(say)
    with ExitStack() as leaving:
        run = RunDir.create(folder_on_disk())
        leaving.callback(run.close)
        plane = leaving.enter_context(control_plane(run.path / "control-plane"))
        yield from starting.figures(plane, run.path, reference, size.starts)
        comparison = Comparison(plane, run.path, reference, other, size)
        leaving.callback(comparison.stop)
        comparison.fill()
        comparison.measure()
        for line in comparison.table():
            say(line)
        for line in steps.of_a_pair(plane, run.path, reference, size.steps):
            say(line)
        for line in comparison.alone():
            say(line)
        yield from idle.figures(plane, comparison.fullest, size.idle)
        yield from comparison.figures()
        say(comparison.ratios())
