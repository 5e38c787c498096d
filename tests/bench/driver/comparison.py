"""Both drivers with claims held, in interleaved rounds; and the ratios."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance.cluster.dra_api import dra_v1_pb2
from conformance.target import Target
from tests.bench.driver import steps
from tests.bench.driver.claims import allocated, hold
from tests.bench.driver.control_plane import ControlPlane
from tests.bench.driver.node import Node
from tests.bench.driver.rounds import Samples, measure
from tests.bench.driver.size import Size
from tests.bench.figure import Figure, say

SLOWDOWN = 1.2
"""How many times the median with no other claim that with many held may be."""
EXAMPLE = {0: 150.0, 400: 96.0}
"""Pairs a second of the Go example driver, by claims held, one caller, on a machine where the test driver made
TEST_DRIVER: 170 to 290, of which this is the middle."""
TEST_DRIVER = 230.0


@dataclass(frozen=True)
class Case:
    """A driver (reference or test) on a node with so many claims held."""

    driver: str
    held: int

    def __str__(self) -> str:
        return f"{self.driver} driver, {self.held} held"


class Comparison:
    """All nodes and what was measured on them."""

    def __init__(self, plane: ControlPlane, run: Path, reference: Target, other: Target, size: Size) -> None:
        self._size = size
        self._plane = plane
        self._run = run
        self._targets = {
            "reference": (reference, [f"--num-devices={size.many + max(size.pairs)}"]),
            "test": (other, []),
        }
        self._nodes: dict[Case, Node] = {}
        self._claims: dict[Case, list[dra_v1_pb2.Claim]] = {}
        self._samples: dict[tuple[Case, int], Samples] = {}

    @property
    def fullest(self) -> Node:
        """The node of the reference driver that holds most claims."""
        return self._nodes[Case("reference", self._size.many)]

    def fill(self) -> None:
        """Start all drivers and have them hold their claims."""
        size, callers = self._size, max(self._size.pairs)
        for case in [
            *(Case(driver, held) for held in size.held for driver in self._targets),
            Case("reference", size.many),
        ]:
            target, more = self._targets[case.driver]
            node = self._nodes[case] = Node(self._plane, self._run, f"{case.driver}-{case.held}", target, more)
            node.register()
            node.wait_published(self._plane.api)
            self._claims[case] = allocated(self._plane.api, node, range(callers))
            hold(self._plane.api, node, range(callers, callers + case.held))

    def measure(self) -> None:
        """All rounds; which driver comes first changes from round to round."""
        for number in range(self._size.rounds):
            say(f"round {number + 1} of {self._size.rounds} …")
            cases = list(self._nodes) if number % 2 == 0 else list(reversed(self._nodes))
            for callers, pairs in self._size.pairs.items():
                for case in cases:
                    if callers == 1 or case.held in self._size.held:
                        samples = self._samples.setdefault((case, callers), Samples())
                        measure(self._nodes[case], self._claims[case][:callers], pairs, samples)

    def table(self) -> Iterator[str]:
        """A line for each case: pairs a second of the median round, the median and 99th percentile of its calls."""
        for (case, callers), samples in sorted(self._samples.items(), key=lambda row: (row[0][1], row[0][0].held)):
            yield f"{_at_once(callers):<14} {case!s:<28}{samples}"

    def alone(self) -> Iterator[str]:
        """What the steps of a call cost by themselves."""
        nodes = {f"{case.driver} driver": node for case, node in self._nodes.items() if case.held == 0}
        claim = self._claims[Case("reference", 0)][0]
        return steps.alone(self._plane, self._run, nodes, claim, self._size.times)

    def figures(self) -> Iterator[Figure]:
        """Ratios and rates beside their limits."""
        for callers in self._size.pairs:
            for held in self._size.held:
                limit = 0.6 if callers == 1 else 0.4
                what = f"{_at_once(callers)}, {held} held: part of the test driver's rate"
                yield Figure(what, self._ratio(callers, held), "", limit, at_least=True)
        for held in self._size.held:
            what = f"one at a time, {held} held: as fast as the example driver"
            yield Figure(what, self._rate("reference", held), "pairs/s", self._example(held), at_least=True)
        yield Figure(f"one at a time, {self._size.many} held: its median, in that at 0", self._slowdown(), "", SLOWDOWN)

    def ratios(self) -> str:
        """All ratios in one line."""
        size = self._size
        cases = [(callers, held) for callers in size.pairs for held in size.held]
        rows = [f"{_at_once(callers)} {self._ratio(callers, held):.2f} at {held} held" for callers, held in cases]
        example = [f"{self._rate('reference', held) / self._example(held):.2f} at {held} held" for held in size.held]
        return (
            f"ratios: {', '.join(rows)}, of the test driver's rate; {', '.join(example)}, of the example driver's; "
            f"median at {size.many} held {self._slowdown():.2f} of that at 0"
        )

    def stop(self) -> None:
        """End all drivers."""
        for node in self._nodes.values():
            node.stop()

    def _ratio(self, callers: int, held: int) -> float:
        return self._rate("reference", held, callers) / self._rate("test", held, callers)

    def _rate(self, driver: str, held: int, callers: int = 1) -> float:
        return self._samples[Case(driver, held), callers].rate

    def _example(self, held: int) -> float:
        """What the example driver would do here, if it does as well as the test driver does."""
        nearest = max(known for known in EXAMPLE if known <= held)
        return EXAMPLE[nearest] * self._rate("test", held) / TEST_DRIVER

    def _slowdown(self) -> float:
        many, none = (self._samples[Case("reference", held), 1].median for held in (self._size.many, 0))
        return many / none


def _at_once(callers: int) -> str:
    return "one at a time" if callers == 1 else f"{callers} at once"
