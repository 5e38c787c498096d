"""Hardware can appear after the driver has started."""

from contextlib import suppress

from conformance.check import Tier, check
from conformance.checks.hardware import noticed, offered, removed, some_device
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import WaitTimeout


@check(
    id="publishing.late_device",
    covers=("PREP-33",),
    needs=("publishing.gone_device", "registration.after_kill"),
    tier=Tier.DISRUPT_DRIVER,
    hooks=("remove_device", "add_device"),
)
def test_late_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A device that appears after the driver's start is offered, so that pods which wait for it can start."""
    before, device = offered(cluster), some_device(cluster)
    with removed(cluster, driver, device):
        noticed(cluster, before, device)
        with suppress(WaitTimeout):  # without any device there need not be a slice
            driver.restart()
    missing = sorted(before - offered(cluster))
    expect("PREP-33").equal(missing, [], "devices that appear after the driver's start are published")
