"""Where a pod can run: its node and the allocations of its claims, as a pure function over API objects.

Source: the DynamicResources and NodeAffinity plugins of the Kubernetes scheduler.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.scheduler import allocator
from conformance.cluster.embedded.scheduler.model import Allocated, AllocationError, Json, UnsuitableNode
from conformance.cluster.embedded.scheduler.nodes import matches_pod, matches_selector
from conformance.cluster.embedded.scheduler.podclaims import can_be_reserved, reserved_for
from conformance.cluster.embedded.scheduler.requests import class_names

NOT_HELPFUL = "Preemption is not helpful for scheduling"


class NoPlacement(Exception):
    """The pod cannot run now. `reason` is that of the condition PodScheduled, the text its message.

    unavailable: UIDs of allocated claims that no node could use.
    """

    def __init__(self, message: str, reason: str = "Unschedulable", unavailable: frozenset[str] = frozenset()) -> None:
        super().__init__(message)
        self.reason = reason
        self.unavailable = unavailable


@dataclass(frozen=True)
class World:
    """What the scheduler looks at: all nodes, slices (tainted by rules), classes by name, and what claims hold."""

    nodes: Sequence[Json]
    slices: Sequence[Json]
    classes: Mapping[str, Json]
    allocated: Allocated


@dataclass(frozen=True)
class Placement:
    """The node, and new allocations by UID of the claim."""

    node: str
    allocations: Mapping[str, dict[str, Any]]


def place(pod: Json, claims: Sequence[Json], world: World, *, timeout: float = allocator.TIMEOUT) -> Placement:
    """The first node, by name, that has what the pod needs. Raises NoPlacement."""
    if not world.nodes:
        raise NoPlacement("no nodes available to schedule pods")
    count = len(world.nodes)
    problem = _before_nodes(pod, claims, world)
    if problem:
        raise NoPlacement(_message(count, problem))
    reasons: Counter[str] = Counter()
    unavailable: set[str] = set()
    for node in world.nodes:
        try:
            found = _on_node(pod, claims, node, world, timeout, unavailable)
        except UnsuitableNode as reason:
            reasons[str(reason)] += 1
            continue
        return Placement(node["metadata"]["name"], found)
    raise NoPlacement(
        _message(count, ", ".join(sorted(f"{n} {r}" for r, n in reasons.items()))),
        "Unschedulable",
        frozenset(unavailable),
    )


def _message(nodes: int, why: str) -> str:
    head = f"0/{nodes} nodes are available:"
    return f"{head} {why}. preemption: {head} {nodes} {NOT_HELPFUL}."


def _before_nodes(pod: Json, claims: Sequence[Json], world: World) -> str:
    """What keeps the pod from any node, "" for nothing."""
    for claim in claims:
        if _allocation(claim):
            if not reserved_for(claim, pod) and not can_be_reserved(claim):
                return "resourceclaim in use"
            continue
        for request, name in class_names(claim):
            if name not in world.classes:
                return f"request {request}: device class {name} does not exist"
    return ""


def _on_node(
    pod: Json, claims: Sequence[Json], node: Json, world: World, timeout: float, unavailable: set[str]
) -> dict[str, dict[str, Any]]:
    if (node.get("spec") or {}).get("unschedulable"):
        raise UnsuitableNode("node(s) were unschedulable")
    if not matches_pod(node, pod):
        raise UnsuitableNode("node(s) didn't match Pod's node affinity/selector")
    elsewhere = [claim["metadata"]["uid"] for claim in claims if not _usable_on(claim, node)]
    missing = [claim for claim in claims if not _allocation(claim)]
    allocations = _allocate(missing, node, world, timeout)
    if elsewhere:
        unavailable.update(elsewhere)
        raise UnsuitableNode("resourceclaim not available on the node")
    return {claim["metadata"]["uid"]: new for claim, new in zip(missing, allocations, strict=True)}


def _allocate(claims: Sequence[Json], node: Json, world: World, timeout: float) -> list[dict[str, Any]]:
    if not claims:
        return []
    try:
        found = allocator.allocate(claims, node, world.slices, world.classes, world.allocated, timeout=timeout)
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


def _usable_on(claim: Json, node: Json) -> bool:
    selector = (_allocation(claim) or {}).get("nodeSelector")
    return not selector or matches_selector(node, selector)
