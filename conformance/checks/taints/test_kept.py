"""What was found sick stays so until it is well."""

import time
from datetime import datetime

from conformance.check import Tier, check
from conformance.checks.hardware import noticed, offered, published, sickened, some_device, taints_of
from conformance.checks.publishing.kept import time_to_return
from conformance.cluster import Cluster, Installation, seen_within, wait_for
from conformance.expect import Expect
from conformance.verdict import NotApplicable

Times = dict[tuple[str, str], str]


@check(
    id="taints.kept",
    covers=("RS-13", "RS-25"),
    needs=("taints.sick_device", "registration.after_kill"),
    profile="taints",
    tier=Tier.DISRUPT_DRIVER,
    features=("taints",),
    hooks=("sicken_device", "recover_device"),
)
def test_kept(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A sick device's taint, and when it was added, outlive changes of other devices and a restart of the driver."""
    before, device = offered(cluster), some_device(cluster)
    with sickened(cluster, driver, device):
        first = times(cluster, noticed(cluster, before, device))
        if not first:
            raise NotApplicable("the driver has put no taint on a device that is sick")
        wait_for(lambda: all(is_past(text) for text in first.values()), "the next second", timeout=5)
        others = offered(cluster)
        if others:
            other = some_device(cluster)
            with sickened(cluster, driver, other):
                noticed(cluster, others, other)
                expect("RS-25").equal(times(cluster, set(first)), first, "timeAdded stays when another device changes")
        driver.restart()
        seen_within(lambda: set(first) <= set(published(cluster)), time_to_return(driver.target))
        forgotten = sorted(set(first) & offered(cluster))
        expect("RS-13").equal(forgotten, [], "a device that is sick is not offered after a restart of the driver")
        expect("RS-25").equal(times(cluster, set(first)), first, "timeAdded stays over a restart of the driver")


def times(cluster: Cluster, devices: set[tuple[str, str]]) -> Times:
    """When the first taint of each device was added."""
    rows = {key: taints_of(device) for key, device in published(cluster).items() if key in devices}
    return {key: str(taints[0].get("timeAdded", "")) for key, taints in rows.items() if taints}


def is_past(text: str) -> bool:
    """Whether a taint that is added now has another time."""
    return time.time() >= datetime.fromisoformat(text).timestamp() + 1
