"""Whether a node keeps its pools while instances of the driver start and end, some of them on other nodes.

A driver may replace its own slices by new ones at any time, so that neither a slice that is gone nor its UID tells
who did what.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import SETTLED
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect
from conformance.history import Event
from conformance.target import Target

_RETURN = 60.0  # seconds: a kubelet that starts may wipe slices, and helpers of drivers look again 30 s later
_LOOK_AGAIN = 30.0
_WRITES = ("create", "update", "patch", "delete")


def time_to_return(target: Target) -> float:
    """Seconds in which slices that were deleted are there again, even where the driver has yet to start."""
    return max(_RETURN, target.ready_within + _LOOK_AGAIN)


def devices_of(cluster: Cluster, node: Node) -> set[str]:
    """The node's devices, as pool/device, without those of pools that are not complete."""
    pools = [pool for pool in pools_of(cluster.slices_of(node)) if pool.complete]
    return {f"{pool.name}/{device['name']}" for pool in pools for device in pool.devices}


def pools_at(cluster: Cluster, node: Node) -> set[str]:
    """Names of the node's complete pools."""
    return {pool.name for pool in pools_of(cluster.slices_of(node)) if pool.complete}


def settled_pools(cluster: Cluster, node: Node) -> set[str]:
    """As pools_at; none are waited for, as one may be just being replaced."""
    return seen_within(lambda: pools_at(cluster, node), SETTLED)


def missing(before: AbstractSet[str], now: Callable[[], AbstractSet[str]], within: float) -> list[str]:
    """What of `before` is not there in so many seconds: as little as was missing at any one time."""
    fewest = before

    def all_there() -> bool:
        nonlocal fewest
        fewest = min(fewest, before - now(), key=len)
        return not fewest

    seen_within(all_there, within)
    return sorted(fewest)


def judge_left_alone(cluster: Cluster, driver: Installation, pools: set[str], since: int, expect: Expect) -> None:
    """RS-15: the node of this installation still has its pools, or soon has them again.

    Where the history says which nodes requests are from, no instance elsewhere deleted its slices from `since` on.
    """
    node = driver.node
    strange = deleted_from_elsewhere(cluster, node, since)
    expect("RS-15").equal(strange, [], f"no instance on another node deletes slices of node {node.name}")
    lost = missing(pools, lambda: pools_at(cluster, node), time_to_return(driver.target))
    expect("RS-15").equal(lost, [], f"node {node.name} keeps its pools, whatever instances on other nodes do")


def deleted_from_elsewhere(cluster: Cluster, node: Node, since: int) -> list[str]:
    """Names of the node's slices that were deleted from another node, by an account that writes slices here, too.

    A controller that writes the slices of all nodes has but one node of its own, and is not meant.
    """
    writes = list(cluster.history.events("request", _writes_slices))
    own = {event["user"] for event in writes if event["node"] == node.name}
    away = [event for event in writes if event.seq >= since and event["node"] not in (node.name, "")]
    deleted = {str(event["name"]) for event in away if event["verb"] == "delete" and event["user"] in own}
    return sorted(deleted & _names_of_slices(cluster, node))


def _writes_slices(event: Event) -> bool:
    return event["resource"] == "resourceslices" and event["verb"] in _WRITES and event["code"] < 300


def _names_of_slices(cluster: Cluster, node: Node) -> set[str]:
    """Names that slices of the driver had on this node at any time."""
    driver = cluster.target.driver_name
    objects = [event["object"] for event in cluster.history.events("api", lambda e: e["resource"] == "resourceslices")]
    ours = [item for item in objects if item["spec"]["driver"] == driver and item["spec"].get("nodeName") == node.name]
    return {item["metadata"]["name"] for item in ours}
