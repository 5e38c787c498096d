"""Hardware can vanish while the driver runs."""

from conformance.check import Tier, check
from conformance.checks.hardware import noticed, offered, removed, some_device
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect


@check(
    id="publishing.gone_device",
    covers=("RS-13",),
    needs=("publishing.pool_complete",),
    tier=Tier.DISRUPT_DRIVER,
    hooks=("remove_device", "add_device"),
)
def test_gone_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A device that vanishes is soon no longer offered."""
    before, device = offered(cluster), some_device(cluster)
    with removed(cluster, driver, device):
        gone = noticed(cluster, before, device)
    expect("RS-13").true(gone, "a device that is gone is removed from the slices, or tainted")
