"""Which of several nodes a pod gets: the one with the highest score.

Source: prioritizeNodes and the plugins TaintToleration, NodeAffinity, NodeResourcesFit,
NodeResourcesBalancedAllocation and DynamicResources of the Kubernetes scheduler, with their default weights.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from conformance.cluster.embedded.scheduler import podresources
from conformance.cluster.embedded.scheduler.filters import tolerated
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.nodes import matches_term
from conformance.cluster.embedded.scheduler.podresources import Amounts, Usage

_MOST = 100
_ALTERNATIVES = 8
_SCORED = ("cpu", "memory")
_NOTHING = Decimal(0)


class Feasible(NamedTuple):
    """A node that the pod could run on, and the pod's claims with the allocations that they have or would get."""

    node: Json
    allocations: Sequence[tuple[Json, Json]]


def best(pod: Json, nodes: Sequence[Feasible], usage: Usage) -> int:
    """Which one has the highest score; the first of several. Kubernetes takes any of these."""
    if len(nodes) == 1:
        return 0
    totals = [sum(scores) for scores in zip(*_weighted(pod, nodes, usage), strict=True)]
    return totals.index(max(totals))


def _weighted(pod: Json, nodes: Sequence[Feasible], usage: Usage) -> Iterable[list[int]]:
    spec = pod.get("spec") or {}
    lenient = [row for row in spec.get("tolerations") or () if row.get("effect") in (None, "", "PreferNoSchedule")]
    yield [3 * (_MOST - score) for score in _normal([_unwelcome(each.node, lenient) for each in nodes])]
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    preferred = affinity.get("preferredDuringSchedulingIgnoredDuringExecution")
    if preferred:
        yield [2 * score for score in _normal([_preference(each.node, preferred) for each in nodes])]
    least, asked = podresources.pod_requests(pod, podresources.LEAST), podresources.pod_requests(pod)
    yield [_room(each.node, usage, least) for each in nodes]
    if any(asked.get(name) for name in _SCORED):
        yield [_balance(each.node, usage, asked) for each in nodes]
    yield [2 * score for score in _normal([_alternatives(each) for each in nodes])]


def _normal(scores: Sequence[int]) -> list[int]:
    highest = max(scores)
    return [_MOST * score // highest for score in scores] if highest else list(scores)


def _unwelcome(node: Json, tolerations: Sequence[Json]) -> int:
    taints = (node.get("spec") or {}).get("taints") or ()
    return sum(taint["effect"] == "PreferNoSchedule" and not tolerated(taint, tolerations) for taint in taints)


def _preference(node: Json, preferred: Iterable[Json]) -> int:
    return sum(int(row["weight"]) for row in preferred if matches_term(node, row["preference"]))


def _room(node: Json, usage: Usage, asked: Amounts) -> int:
    """How much is left, as a part of what there is."""
    used, scores = usage.asked(node, at_least=True), []
    for name, has in _scored(node):
        left = has - used.get(name, _NOTHING) - asked[name]
        scores.append(int(left * _MOST / has) if left > 0 else 0)
    return sum(scores) // len(scores) if scores else 0


def _scored(node: Json) -> list[tuple[str, Decimal]]:
    has = podresources.allocatable(node)
    return [(name, has[name]) for name in _SCORED if has.get(name)]


def _balance(node: Json, usage: Usage, asked: Amounts) -> int:
    """How much evener the parts of CPU and memory that are used become."""
    before = usage.asked(node)
    after = {name: before.get(name, _NOTHING) + asked.get(name, _NOTHING) for name in _SCORED}
    return _MOST // 2 + (_MOST // 2 + _evenness(node, after) - _evenness(node, before)) // 2


def _evenness(node: Json, used: Mapping[str, Decimal]) -> int:
    parts = [min(1.0, float(used.get(name, _NOTHING) / has)) for name, has in _scored(node)]
    deviation = abs(parts[0] - parts[1]) / 2 if len(parts) == 2 else 0.0
    return int((1 - deviation) * _MOST)


def _alternatives(each: Feasible) -> int:
    """The earlier the alternatives that the claims' requests have got, the more."""
    score = 0
    for claim, allocation in each.allocations:
        got = {result["request"] for result in allocation["devices"].get("results") or ()}
        for request in claim["spec"]["devices"].get("requests") or ():
            for number, sub in enumerate(request.get("firstAvailable") or ()):
                score += (_ALTERNATIVES - number) * (f"{request['name']}/{sub['name']}" in got)
    return score
