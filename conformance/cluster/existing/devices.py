"""What others leave of a driver's devices."""

from collections.abc import Collection, Iterator, Sequence

from conformance.cluster.api import Object
from conformance.target import Target


def claims_free(
    target: Target, node: str, slices: Sequence[Object], claims: Sequence[Object], own: Collection[str]
) -> int:
    """How many valid claims of a driver a node has room for beside those of others.

    slices, claims: all of the cluster; own: namespaces whose claims are not those of others. As a claim may be for
    several devices, each device that others use is taken to cost its share of what the driver file says.
    """
    devices = set(_devices(target, node, slices))
    taken = len(devices) - devices_left(target, node, slices, claims, own)
    return target.claims_per_node * (len(devices) - taken) // len(devices) if taken else target.claims_per_node


def devices_left(
    target: Target, node: str, slices: Sequence[Object], claims: Sequence[Object], own: Collection[str]
) -> int:
    """How many devices of a node no claim of others has; arguments as those of `claims_free`."""
    devices = set(_devices(target, node, slices))
    used = {
        device for claim in claims if claim["metadata"]["namespace"] not in own for device in _allocated(claim, target)
    }
    return len(devices - used)


def _devices(target: Target, node: str, slices: Sequence[Object]) -> Iterator[tuple[str, str]]:
    """(pool, device) of what the node can use."""
    for item in slices:
        spec = item["spec"]
        if spec["driver"] == target.driver_name and spec.get("nodeName") in (None, node):
            yield from ((spec["pool"]["name"], device["name"]) for device in spec.get("devices") or ())


def _allocated(claim: Object, target: Target) -> Iterator[tuple[str, str]]:
    """(pool, device) of what a claim has to itself: access for administrators leaves a device to its user."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    for row in (allocation.get("devices") or {}).get("results") or ():
        if row["driver"] == target.driver_name and not row.get("adminAccess"):
            yield row["pool"], row["device"]
