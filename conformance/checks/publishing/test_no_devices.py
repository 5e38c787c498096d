"""A driver that has nothing to offer says so."""

from contextlib import ExitStack

from conformance.check import Tier, check
from conformance.checks.hardware import offered, removed
from conformance.cluster import Cluster, Installation, seen_within
from conformance.expect import Expect
from conformance.verdict import NotApplicable, NotRun

MOST = 16  # devices; each is taken away and given back by a command
SETTLED = 2.0  # seconds after the last device went in which slices may still be on their way out


@check(
    id="publishing.no_devices",
    covers=("RS-12",),
    needs=("publishing.gone_device",),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    hooks=("remove_device", "add_device"),
)
def test_no_devices(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """When all devices are gone there is still a slice, so that the driver can be told from one that is not there."""
    devices = sorted(offered(cluster))
    if not 0 < len(devices) <= MOST:
        raise NotApplicable(f"the driver offers {len(devices)} devices, and up to {MOST} can be taken away here")
    with ExitStack() as giving_back:
        for key in devices:
            giving_back.enter_context(removed(cluster, driver, key))
        if not seen_within(lambda: not offered(cluster), cluster.target.file.limits.notice):
            raise NotRun(f"the hook removeDevice left devices: {sorted(offered(cluster))}")
        absent = seen_within(lambda: not cluster.slices(), SETTLED)
        expect("RS-12").true(not absent, "a driver without devices publishes a slice all the same", "no slice")
