"""A kubelet that starts deletes all slices of its node; the driver must publish them again."""

from typing import Any

from conformance.check import Tier, check
from conformance.checks.publishing.kept import time_to_return
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster, Installation, Node, need_calls, seen_within
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="publishing.republish",
    covers=("RS-10", "RS-09", "REG-15"),
    needs=("publishing.pool_complete",),
    tier=Tier.DISRUPT_NODE,
)
def test_republish(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """After a kubelet restart wiped the node's slices, the driver is registered and the same devices are back."""
    published = settled_slices(cluster)
    wiped = uids_on(node, published)
    if not wiped:
        raise NotApplicable("a kubelet deletes the slices of its own node, and the driver has none of that kind")
    before = {pool.name: names_of(pool.devices) for pool in pools_of(published)}
    node.restart_kubelet()

    def back() -> dict[str, list[str]]:
        slices = cluster.slices()
        if wiped & uids_on(node, slices):
            return {}
        pools = pools_of(slices)
        complete = all(pool.complete for pool in pools) and {pool.name for pool in pools} >= set(before)
        return {pool.name: names_of(pool.devices) for pool in pools} if complete else {}

    registered = seen_within(lambda: node.registrations(driver.target.driver_name), 10)
    if node.sees_calls:
        expect("REG-15").true(registered, "the driver is registered again after the restart of the kubelet")
    within = time_to_return(driver.target)
    after = seen_within(back, within)
    expect("RS-10").true(after, f"its slices are back within {within:g} s after they were deleted")
    expect("RS-09").one_of(after, ({}, before), "the devices have the same names as before")
    need_calls(node)  # else nothing shows whether the kubelet has registered the driver again


def uids_on(node: Node, slices: list[dict[str, Any]]) -> set[str]:
    """UIDs of those slices that name the node."""
    return {item["metadata"]["uid"] for item in slices if item["spec"].get("nodeName") == node.name}


def names_of(devices: list[dict[str, object]]) -> list[str]:
    """Names of devices, sorted."""
    return sorted(str(device["name"]) for device in devices)
