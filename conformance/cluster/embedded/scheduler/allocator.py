"""The allocator: devices for claims on a node, as a pure function over API objects.

It has the features that are on by default in Kubernetes 1.37: admin access, prioritized lists, partitionable devices,
taints, binding conditions, consumable capacity.
"""

import time
from collections.abc import Sequence
from typing import Any

from conformance.cluster.embedded.scheduler.model import Allocated, Json, UnsuitableNode
from conformance.cluster.embedded.scheduler.pools import Pools
from conformance.cluster.embedded.scheduler.requests import Classes, Requests
from conformance.cluster.embedded.scheduler.result import allocation
from conformance.cluster.embedded.scheduler.search import Search

TIMEOUT = 10.0


def allocate(
    claims: Sequence[Json],
    node: Json,
    pools: Pools,
    classes: Classes,
    allocated: Allocated,
    *,
    timeout: float = TIMEOUT,
) -> list[dict[str, Any]] | None:
    """One `status.allocation` for each claim, or None when the node does not have the devices.

    classes: by name; allocated: what other claims hold; timeout: seconds that the search may compute.
    Raises AllocationError when no node is to be tried, UnsuitableNode when another one may do, TimeoutError.
    """
    here = pools.on(node)
    requests = [Requests(claim, classes, here, node) for claim in claims]
    # Not the time on the wall: a busy machine is no reason to leave a pod without devices.
    search = Search(requests, here, allocated, time.thread_time() + timeout)
    if search.run():
        return [
            allocation(claim, chosen, picked, node["metadata"]["name"])
            for claim, chosen, picked in zip(claims, search.chosen, search.picked, strict=True)
        ]
    if any(pool.invalid for pool in here):
        raise UnsuitableNode("invalid resource pools were encountered")
    return None
