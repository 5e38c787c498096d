"""Prepare and Unprepare, pair after pair, by one caller or several at once; and what comes of several rounds."""

import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from conformance.cluster.dra_api import dra_v1_pb2
from tests.bench.driver.node import Node

WARM_UP = 5
"""Pairs of each caller, in each round, that are not counted."""


@dataclass
class Samples:
    """What was measured in all rounds so far; times in seconds, `rates` in pairs a second, one for each round."""

    prepare: list[float] = field(default_factory=list)
    unprepare: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Pairs a second, in the median round."""
        return statistics.median(self.rates)

    @property
    def median(self) -> float:
        """Seconds that a pair takes."""
        return statistics.median(map(sum, zip(self.prepare, self.unprepare, strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.rate:7.1f} pairs/s   Prepare {_milliseconds(self.prepare)}   "
            f"Unprepare {_milliseconds(self.unprepare)}   {statistics.median(self.cpu) * 1000:5.2f} ms of a processor"
        )


def measure(node: Node, claims: Sequence[dra_v1_pb2.Claim], pairs: int, samples: Samples) -> None:
    """Add one round: each claim has a caller of its own, which makes its part of the pairs."""
    each = pairs // len(claims)
    with ThreadPoolExecutor(len(claims)) as callers:
        list(callers.map(lambda claim: _pairs(node, claim, WARM_UP), claims))
        cpu, began = node.cpu(), time.perf_counter()
        done = list(callers.map(lambda claim: _pairs(node, claim, each), claims))
        seconds = time.perf_counter() - began
    for prepare, unprepare in done:
        samples.prepare += prepare
        samples.unprepare += unprepare
    samples.rates.append(each * len(claims) / seconds)
    samples.cpu.append((node.cpu() - cpu) / (each * len(claims)))


def _pairs(node: Node, claim: dra_v1_pb2.Claim, count: int) -> tuple[list[float], list[float]]:
    prepare, unprepare = [], []
    for _ in range(count):
        prepare.append(_timed(node.prepare, claim))
        unprepare.append(_timed(node.unprepare, claim))
    return prepare, unprepare


def _timed(call: Callable[[dra_v1_pb2.Claim], None], claim: dra_v1_pb2.Claim) -> float:
    began = time.perf_counter()
    call(claim)
    return time.perf_counter() - began


def _milliseconds(seconds: Sequence[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return f"{cuts[49] * 1000:6.2f} ms, p99 {cuts[98] * 1000:6.2f} ms"
