"""Slices as an earlier life of the driver may have left them, for a driver to find."""

import copy
from collections.abc import Collection
from typing import Any

from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.history import Event
from conformance.verdict import NotApplicable

Object = dict[str, Any]

STRANGER = "stranger.example.com"
"""Name of a driver that is not there."""
FOUND = 3.0  # seconds for a driver that watches its slices
TIDIED = 40.0  # seconds for one that has just started: the helper for Go looks at pools that it does not know after 30


def slice_to_copy(cluster: Cluster, node: Node) -> Object:
    """One of the driver's slices of the node. Raises NotApplicable without any."""
    slices = cluster.slices_of(node)
    if not slices:
        raise NotApplicable("the driver publishes no slices of its node")
    return slices[0]


def plant(cluster: Cluster, original: Object, pool: Object) -> str:
    """Create an empty slice that looks like the driver's own, of another pool or generation; its name."""
    spec = {key: original["spec"][key] for key in ("driver", "nodeName")}
    spec |= {"devices": [], "pool": {**original["spec"]["pool"], "resourceSliceCount": 1, **pool}}
    owners = copy.deepcopy(original["metadata"].get("ownerReferences") or [])
    metadata = {"name": f"{cluster.namespace}-left", "ownerReferences": owners}
    made = cluster.create(
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": metadata, "spec": spec}
    )
    return str(made["metadata"]["name"])


def plant_of_stranger(cluster: Cluster, node: Node) -> Object:
    """Create an empty slice of another driver on the node, of a pool that is called like the node, as many are."""
    pool = {"name": node.name, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": STRANGER, "nodeName": node.name, "devices": [], "pool": pool}
    metadata = {"name": f"{cluster.namespace}-stranger"}
    return cluster.create(
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": metadata, "spec": spec}
    )


def is_tidied(cluster: Cluster, node: Node, driver: Installation, name: str) -> bool:
    """Whether the driver deletes a slice: as it is, or else when it starts anew."""

    def gone() -> bool:
        return name not in {item["metadata"]["name"] for item in cluster.slices_of(node)}

    if looks_at_slices(cluster, node) and seen_within(gone, FOUND):
        return True
    driver.restart()
    return seen_within(gone, TIDIED if looks_at_slices(cluster, node) else 0)


def looks_at_slices(cluster: Cluster, node: Node) -> bool:
    """Whether a driver on the node was seen to read slices; without that it finds none, however long one waits."""

    def reads(event: Event) -> bool:
        verbs: Collection[str] = ("list", "watch")
        return event["node"] == node.name and event["resource"] == "resourceslices" and event["verb"] in verbs

    return any(cluster.history.events("request", reads))
