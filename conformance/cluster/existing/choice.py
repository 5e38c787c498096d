"""Which nodes of somebody's cluster are looked at."""

from collections.abc import Sequence

from conformance.cluster.api import Api, Object
from conformance.cluster.existing.settings import Unusable
from conformance.target import Target
from conformance.verdict import Inconclusive


def choose(api: Api, target: Target, named: Sequence[str]) -> list[Object]:
    """The Node objects: those that were named, else the first one with the driver on it that pods can go to.

    Raises Unusable for a name that no node has, Inconclusive when the driver is not there.
    """
    nodes = {item["metadata"]["name"]: item for item in api.list("nodes")["items"]}
    for name in named:
        if name not in nodes:
            raise Unusable(f"--node={name}: the cluster has no such node; it has {_some(sorted(nodes))}")
    name = target.driver_name
    slices = api.list("resourceslices", field_selector=f"spec.driver={name}")["items"]
    if not slices:
        others = sorted({item["spec"]["driver"] for item in api.list("resourceslices")["items"]})
        there = f"there are ones of {_some(others)}" if others else "there are none at all"
        raise Inconclusive(
            f"there is no ResourceSlice of driver {name} on this cluster, {there}: install it first, as the suite "
            "installs nothing on clusters that are not its own"
        )
    with_driver = {item["spec"].get("nodeName") for item in slices}
    scope = target.driver.scope
    local = scope == "node-local" or (scope == "mixed" and None not in with_driver)
    for node in named:
        if local and node not in with_driver:
            raise Inconclusive(f"driver {name} has published no ResourceSlice for node {node}, which --node names")
    if named:
        return [nodes[node] for node in named]
    found = [nodes[node] for node in sorted(nodes) if not local or node in with_driver]
    usable = sorted(filter(_takes_pods, found), key=_tainted)  # a stable sort: untainted ones first
    if not usable:
        raise Inconclusive(f"no node with slices of driver {name} is ready and takes pods")
    return usable[:1]


def _takes_pods(node: Object) -> bool:
    conditions = (node.get("status") or {}).get("conditions") or ()
    ready = any(row["type"] == "Ready" and row["status"] == "True" for row in conditions)
    return ready and not node["spec"].get("unschedulable")


def _tainted(node: Object) -> bool:
    return any(taint["effect"] != "PreferNoSchedule" for taint in node["spec"].get("taints") or ())


def _some(names: Sequence[str], limit: int = 5) -> str:
    return ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")
