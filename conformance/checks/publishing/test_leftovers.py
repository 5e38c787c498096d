"""Slices that a driver has left in an earlier life are taken away by it."""

from conformance.check import Tier, check
from conformance.checks.publishing.planted import is_tidied, plant, slice_to_copy
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="publishing.pool_gone",
    covers=("RS-31",),
    needs=("publishing.node_owner", "registration.after_kill"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
)
def test_pool_gone(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A slice of the driver's whose pool it no longer has is deleted, at the driver's start at the latest."""
    name = plant(cluster, slice_to_copy(cluster, node), {"name": f"{cluster.namespace}-gone"})
    gone = is_tidied(cluster, node, driver, name)
    expect("RS-31").true(gone, "a slice of a pool that no longer exists is deleted", f"{name} is still there")


@check(
    id="publishing.old_generation",
    covers=("RS-07",),
    needs=("publishing.node_owner", "registration.after_kill"),
    tier=Tier.DISRUPT_DRIVER,
)
def test_old_generation(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A slice that is left of an older generation of a pool is deleted, at the driver's start at the latest."""
    original = slice_to_copy(cluster, node)
    generation = original["spec"]["pool"]["generation"]
    if generation < 1:
        raise NotApplicable("the driver's pools begin at generation 0, and there is none before it")
    name = plant(cluster, original, {"generation": generation - 1})
    gone = is_tidied(cluster, node, driver, name)
    expect("RS-07").true(gone, "a slice of an older generation is deleted", f"{name} is still there")
