"""Devices that say themselves which nodes reach them."""

from conformance.check import check
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="partitions.node_selector",
    covers=("RS-34",),
    needs=("registration.registers",),
    profile="partitionable",
    features=("partitionable",),
)
def test_node_selector(cluster: Cluster, expect: Expect) -> None:
    """A device that selects its nodes does so in one term, as the scheduler fails on more."""
    devices = [device for pool in pools_of(settled_slices(cluster)) for device in pool.devices]
    terms = {
        device["name"]: len(device["nodeSelector"].get("nodeSelectorTerms") or ())
        for device in devices
        if device.get("nodeSelector")
    }
    if not terms:
        raise NotApplicable("no device has a node selector of its own")
    several = {name: count for name, count in terms.items() if count != 1}
    expect("RS-34").equal(several, {}, "a device's own node selector has exactly one term")
