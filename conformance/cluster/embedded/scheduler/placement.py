"""Where a pod can run: its node and the allocations of its claims, as a pure function over API objects.

Source: the DynamicResources plugin of the Kubernetes scheduler, and how the scheduler runs its plugins.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from conformance.cluster.embedded.scheduler import allocator, filters
from conformance.cluster.embedded.scheduler.conditions import BINDING_TIMEOUT, usable
from conformance.cluster.embedded.scheduler.extended import ExtendedResources, NodeClaim
from conformance.cluster.embedded.scheduler.model import Allocated, AllocationError, Json, UnsuitableNode
from conformance.cluster.embedded.scheduler.nodes import matches_selector
from conformance.cluster.embedded.scheduler.podresources import Usage, pod_requests
from conformance.cluster.embedded.scheduler.pools import Pools
from conformance.cluster.embedded.scheduler.requests import class_names
from conformance.cluster.embedded.scheduler.scoring import Feasible, best
from conformance.cluster.embedded.scheduler.unschedulable import NoPlacement, Reasons, against_all

# So many nodes that will do are enough to choose from: of 100 all, of more a part that gets smaller.
_ENOUGH, _LEAST_PERCENT = 100, 5


@dataclass(frozen=True)
class Timeouts:
    """Seconds for a search on one node, and for allocated devices to become ready for binding."""

    search: float = allocator.TIMEOUT
    binding: float = BINDING_TIMEOUT


@dataclass(frozen=True)
class World:
    """What the scheduler looks at: all nodes, pools (tainted by rules), classes by name, and all claims.

    allocated: what the claims hold; usage: of the nodes, by pods that have one and have not ended.
    """

    nodes: Sequence[Json]
    pools: Pools
    classes: Mapping[str, Json]
    claims: Sequence[Json]
    allocated: Allocated
    usage: Usage


@dataclass(frozen=True)
class Placement:
    """The node, and new allocations by UID of the claim; `extended` is a claim that is not in the API yet."""

    node: str
    allocations: Mapping[str, dict[str, Any]]
    extended: NodeClaim | None = None


def place(pod: Json, claims: Sequence[Json], world: World, timeouts: Timeouts | None = None) -> Placement:
    """Where the pod goes: to the node with the highest score. Raises NoPlacement."""
    if not world.nodes:
        raise NoPlacement("no nodes available to schedule pods")
    return _Attempt(pod, claims, world, timeouts or Timeouts()).run()


@dataclass
class _Attempt:
    pod: Json
    claims: Sequence[Json]
    world: World
    timeouts: Timeouts
    unavailable: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.wanted = pod_requests(self.pod)
        self.extended = ExtendedResources(self.pod, self.wanted, self.world.classes, self.world.claims)
        self.missing = [claim for claim in self.claims if not _allocation(claim)]

    def run(self) -> Placement:
        count = len(self.world.nodes)
        if filters.named_nodes(self.pod) == set():
            # The plugin for devices does not find its notes then, and says so in place of the preemption's words.
            raise against_all(count, "pod affinity terms conflict", preemption="not found")
        why = self._before_nodes()
        if why:
            raise against_all(count, why)
        reasons = Reasons(count)
        found = list(islice(self._found(reasons), _enough(count)))
        if not found:
            raise reasons.problem(unavailable=self.unavailable, left_over=self.extended.left_over)
        feasible = [Feasible(node, self._allocations(placement)) for node, placement in found]
        return found[best(self.pod, feasible, self.world.usage)][1]

    def _found(self, reasons: Reasons) -> Iterator[tuple[Json, Placement]]:
        names = filters.named_nodes(self.pod)
        for node in self.world.nodes:
            if names is not None and node["metadata"]["name"] not in names:
                continue
            try:
                yield node, self._on_node(node)
            except UnsuitableNode as reason:
                reasons.add(reason)

    def _allocations(self, placement: Placement) -> list[tuple[Json, Json]]:
        """The claims, each with the allocation that it has or would get; that for extended resources has no choice."""
        new = placement.allocations
        return [(claim, _allocation(claim) or new[claim["metadata"]["uid"]]) for claim in self.claims]

    def _before_nodes(self) -> str:
        """What keeps the pod from any node, "" for nothing."""
        for claim in self.missing:
            for request, name in class_names(claim):
                if name not in self.world.classes:
                    return f"request {request}: device class {name} does not exist"
        return ""

    def _on_node(self, node: Json) -> Placement:
        wanted = self.extended.without(node, self.wanted) if self.extended else self.wanted
        filters.check(self.pod, node, wanted, self.world.usage)
        extended = self.extended.on(node) if self.extended else None
        elsewhere = [claim for claim in self.claims if not self._usable_on(claim, node)]
        missing = [*self.missing, *([extended.claim] if extended else [])]
        allocations = self._allocate(missing, node)
        if elsewhere:
            self.unavailable.update(claim["metadata"]["uid"] for claim in elsewhere)
            raise UnsuitableNode("resourceclaim not available on the node")
        found: dict[str, dict[str, Any]] = {}
        for claim, new in zip(missing, allocations, strict=True):
            # A claim that the pod names twice is searched for twice; the first result counts.
            found.setdefault(claim["metadata"]["uid"], new)
        return Placement(node["metadata"]["name"], found, extended)

    def _usable_on(self, claim: Json, node: Json) -> bool:
        allocation = _allocation(claim)
        if not allocation:
            return True
        selector = allocation.get("nodeSelector")
        return (not selector or matches_selector(node, selector)) and usable(claim, self.timeouts.binding)

    def _allocate(self, claims: Sequence[Json], node: Json) -> list[dict[str, Any]]:
        if not claims:
            return []
        pools, classes = self.world.pools, self.world.classes
        try:
            found = allocator.allocate(claims, node, pools, classes, self.world.allocated, timeout=self.timeouts.search)
        except TimeoutError:
            text = f"node {node['metadata']['name']}: timed out trying to allocate devices"
            raise _scheduler_error(text) from None
        except AllocationError as error:
            raise _scheduler_error(str(error)) from None
        if found is None:
            raise UnsuitableNode("cannot allocate all claims")
        return found


def _scheduler_error(text: str) -> NoPlacement:
    return NoPlacement(f'running "DynamicResources" filter plugin: {text}', "SchedulerError")


def _allocation(claim: Json) -> Json | None:
    return (claim.get("status") or {}).get("allocation")


def _enough(nodes: int) -> int:
    return max(_ENOUGH, nodes * max(_LEAST_PERCENT, 50 - nodes // 125) // 100)
