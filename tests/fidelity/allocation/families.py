"""The problems of a seed."""

from collections.abc import Callable
from random import Random

from tests.fidelity.allocation import features, mixed, placing, scenarios
from tests.fidelity.allocation.problem import Draft, Problem

Family = Callable[[Draft], None]
_OF_ONE_THING: tuple[Family, ...] = (
    scenarios.freed,
    scenarios.shared,
    scenarios.alternatives,
    scenarios.partitions,
    scenarios.capacities,
    scenarios.attributes,
    scenarios.pools,
    scenarios.nowhere,
    scenarios.elsewhere,
    scenarios.taints,
    scenarios.conditions,
    scenarios.administrators,
    scenarios.limits,
    scenarios.expressions,
    scenarios.classes,
    placing.scores,
    placing.full,
    placing.named,
    placing.several,
    placing.changing,
    placing.extended,
    features.subdivided,
    features.spread,
    features.overseen,
    features.prepared,
    features.resources,
)
_MIXED: tuple[Family, ...] = (mixed.one_node, mixed.two_nodes)
FAMILIES: tuple[Family, ...] = (*_OF_ONE_THING, *(_MIXED * 6))


def problems(seed: int, count: int) -> list[Problem]:
    """The first `count` problems of a seed: every family in turn."""
    made = []
    for number in range(count):
        family = FAMILIES[number % len(FAMILIES)]
        draft = Draft(f"s{number:03}", family.__name__, Random(f"{seed}/{number}"))
        family(draft)
        made.append(draft.problem)
    return made
