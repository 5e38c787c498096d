"""The slices of several nodes taken together, as a scheduler has them before it."""

from collections.abc import Sequence
from typing import Any

from conformance.checks.publishing.pool import Pool, pools_of
from conformance.cluster import Cluster, Fleet, Node, seen_within
from conformance.expect import Expect
from conformance.verdict import NotApplicable

SETTLED = 5.0  # seconds for pools that are just being updated


def nodes_of(fleet: Fleet) -> list[Node]:
    """The nodes of a fleet, the first one first."""
    return [installation.node for installation in fleet.installations]


def need_local_devices(cluster: Cluster) -> None:
    """Go on only where devices belong to nodes. Raises NotApplicable."""
    scope = cluster.target.driver.scope
    if scope != "node-local":
        raise NotApplicable(f"the driver file says that the devices are {scope}")


def settled_slices(cluster: Cluster) -> list[dict[str, Any]]:
    """The driver's slices; the first one is waited for, as it may be just being replaced."""
    return seen_within(cluster.slices, SETTLED)


def slices_of(cluster: Cluster, nodes: Sequence[Node]) -> list[dict[str, Any]]:
    """The driver's slices that name these nodes."""
    return [item for node in nodes for item in cluster.slices_of(node)]


def judge_pools(cluster: Cluster, nodes: Sequence[Node], expect: Expect) -> None:
    """Pools are identified by their names, wherever their slices are from: RS-05 and RS-08 hold over all nodes."""
    settled: list[Pool] = seen_within(lambda: _pools_when_complete(cluster, nodes), SETTLED)
    for pool in settled or pools_of(slices_of(cluster, nodes)):
        stated = f"pool {pool.name} has the slices that each one states, over all nodes"
        expect("RS-05").equal(pool.counts, {len(pool.slices)}, stated)
        names = [device["name"] for device in pool.devices]
        twice = sorted({name for name in names if names.count(name) > 1})
        expect("RS-08").equal(twice, [], f"device names are unique in pool {pool.name}, over all nodes")


def _pools_when_complete(cluster: Cluster, nodes: Sequence[Node]) -> list[Pool]:
    """The pools, if all are complete and each node has slices; else []."""
    slices = slices_of(cluster, nodes)
    pools, named = pools_of(slices), {item["spec"]["nodeName"] for item in slices}
    complete = all(pool.complete for pool in pools) and named == {node.name for node in nodes}
    return pools if complete else []
