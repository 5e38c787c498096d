"""A kubelet that starts deletes all slices of its node; the driver must publish them again."""

from contextlib import suppress
from typing import Any

from conformance.check import Tier, check
from conformance.checks.publishing.kept import time_to_return
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.checks.registration.answering import unanswered
from conformance.cluster import Cluster, Installation, Node, need_calls, seen_within
from conformance.cluster.api import NotFound
from conformance.expect import Expect
from conformance.history import Event
from conformance.verdict import NotApplicable

_BEGINNING = 5.0  # seconds in which a process that has just started does what it does at its start


@check(
    id="publishing.republish",
    covers=("RS-10", "RS-09", "REG-15", "REG-20"),
    needs=("publishing.pool_complete",),
    tier=Tier.DISRUPT_NODE,
)
def test_republish(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """After a kubelet restart wiped the node's slices, the driver is registered and the same devices are back."""
    up = has_looked(cluster, node)
    published = settled_slices(cluster)
    wiped = uids_on(node, published)
    if not wiped:
        raise NotApplicable("a kubelet deletes the slices of its own node, and the driver has none of that kind")
    before = {pool.name: names_of(pool.devices) for pool in pools_of(published)}
    node.restart_kubelet()

    def back() -> dict[str, list[str]]:
        """The devices of each pool, once all pools are there without the slices that were deleted."""
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
    expect("RS-10").true(after, f"its slices are back within {within:g} s after the kubelet deleted them")
    expect("RS-09").one_of(after, ({}, before), "the devices have the same names as before")
    if after and not up:  # it had just started, and perhaps would have published now anyway
        wiped |= delete_slices_on(cluster, node)
        after = seen_within(back, within)
        expect("RS-10").true(after, f"its slices are back within {within:g} s after they were deleted once more")
    need_calls(node)  # else nothing shows whether the kubelet has registered the driver again, and calls it
    trouble = unanswered(node, driver)
    expect("REG-20").equal(trouble, "", "the DRA service answers on the connection of the restarted kubelet")


def has_looked(cluster: Cluster, node: Node) -> bool:
    """Whether the driver's newest process on the node is seen to have asked for slices: it is up, and has begun.

    Waits until it is through its beginning, in which it may yet publish what it would have published anyway.
    """
    driver = cluster.target.driver_name
    started = cluster.history.last(
        "process", lambda e: (e["phase"], e["name"], e["node"]) == ("started", driver, node.name)
    )
    if started is None:
        return False
    cluster.history.watch_for(_BEGINNING, after=started)
    return any(cluster.history.events("request", lambda e: _asks_for_slices(e, node), started.seq))


def _asks_for_slices(event: Event, node: Node) -> bool:
    verbs = ("get", "list", "watch", "create", "update", "patch")  # a kubelet only deletes
    return event["node"] == node.name and event["resource"] == "resourceslices" and event["verb"] in verbs


def delete_slices_on(cluster: Cluster, node: Node) -> set[str]:
    """Delete the driver's slices of the node, as an administrator may; their UIDs."""
    slices = cluster.slices_of(node)
    for item in slices:
        with suppress(NotFound):
            cluster.api.delete("resourceslices", item["metadata"]["name"])
    return uids_on(node, slices)


def uids_on(node: Node, slices: list[dict[str, Any]]) -> set[str]:
    """UIDs of those slices that name the node."""
    return {item["metadata"]["uid"] for item in slices if item["spec"].get("nodeName") == node.name}


def names_of(devices: list[dict[str, object]]) -> list[str]:
    """Names of devices, sorted."""
    return sorted(str(device["name"]) for device in devices)
