"""The allocator: devices for claims on a node, as a pure function over API objects.

It has the features that are on by default in Kubernetes 1.37: admin access, prioritized lists, partitionable devices,
taints, binding conditions, consumable capacity.
"""

import time
from collections.abc import Sequence
from typing import Any

from conformance.cluster.embedded.scheduler.model import Allocated, Json, UnsuitableNode
from conformance.cluster.embedded.scheduler.pools import gather
from conformance.cluster.embedded.scheduler.requests import Classes, Requests
from conformance.cluster.embedded.scheduler.result import allocation
from conformance.cluster.embedded.scheduler.search import Search

TIMEOUT = 10.0


def allocate(
    claims: Sequence[Json],
    node: Json,
    slices: Sequence[Json],
    classes: Classes,
    allocated: Allocated,
    *,
    timeout: float = TIMEOUT,
) -> list[dict[str, Any]] | None:
    """One `status.allocation` for each claim, or None when the node does not have the devices.

    classes: by name; allocated: what other claims hold; timeout: seconds for the search.
    Raises AllocationError when no node is to be tried, UnsuitableNode when another one may do, TimeoutError.
    """
    pools = gather(slices, node)
    requests = [Requests(claim, classes, pools, node) for claim in claims]
    search = Search(requests, pools, allocated, time.monotonic() + timeout)
    if search.run():
        return [
            allocation(claim, chosen, picked, node["metadata"]["name"])
            for claim, chosen, picked in zip(claims, search.chosen, search.picked, strict=True)
        ]
    if any(pool.invalid for pool in pools):
        raise UnsuitableNode("invalid resource pools were encountered")
    return None
