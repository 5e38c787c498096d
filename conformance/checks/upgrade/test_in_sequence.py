"""An update without overlap: one version ends, the next one starts over what it left."""

import time

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.restart.comeback import trouble_until_ready
from conformance.cluster import Cluster, Installation, Instance, Node
from conformance.expect import Expect
from conformance.verdict import Inconclusive, NotRun

TIMES = 3
WIPED = 20.0  # seconds; a kubelet deletes the slices of a driver that has been away for 30


@check(
    id="upgrade.in_sequence",
    covers=("UPG-03", "UPG-04"),
    needs=("restart.recovers",),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_in_sequence(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A version that ends leaves slices and CDI specs behind, and the next one takes a running pod's claim over."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim, prepared = pod.claim("devices").ref, pod.wait_prepared("devices")
    taken = taken_along(cluster, driver)
    expect("UPG-04").equal(taken, [], "the slices stay when the driver ends in order")
    lost = node.cdi.unresolved(prepared.cdi_ids)
    expect("UPG-04").equal(lost, [], "the CDI specs of a running pod stay when the driver ends in order")
    start_next(driver)
    expect("UPG-03").equal(trouble_until_ready(driver), "", "the next version starts over what this one left")
    again = until_good(lambda: node.prepare(claim))
    expect("UPG-03").equal(again.error, "", "the next version prepares the claim again")
    expect("UPG-03").equal(node.cdi.unresolved(again.cdi_ids), [], "every CDI id of its answer is in a spec")
    undone = until_good(lambda: node.unprepare(claim))
    expect("UPG-03").equal(undone.error, "", "the next version unprepares the claim")
    expect("UPG-03").equal(node.cdi.devices_for(claim.uid), [], "it removes the claim's CDI devices")


def taken_along(cluster: Cluster, driver: Installation) -> list[str]:
    """Nodes whose slices are gone each time that the driver ends; it has ended then.

    One that replaces its slices by new ones may be between the two when it ends, but not three times in a row.
    """
    for turn in range(TIMES):
        if turn:
            driver.start()
            trouble_until_ready(driver)
        published = nodes_with_slices(cluster)
        end(driver.instances[-1])
        taken = sorted(published - nodes_with_slices(cluster))
        if not taken:
            break
    return taken


def nodes_with_slices(cluster: Cluster) -> set[str]:
    """Nodes that slices of the driver name, "" for slices that name none."""
    return {str(item["spec"].get("nodeName", "")) for item in cluster.slices()}


def end(instance: Instance) -> None:
    """SIGTERM, and SIGKILL where that is not enough. Raises Inconclusive when a kubelet may have wiped the slices."""
    began = time.monotonic()
    if instance.terminate() is None:
        instance.kill()
    if time.monotonic() - began > WIPED:
        raise Inconclusive(
            f"the driver took more than {WIPED:g} s to end, so that the kubelet may have taken its slices"
        )


def start_next(driver: Installation) -> None:
    """Start the next version where that can be done without an overlap, else this one once more."""
    try:
        driver.start(next_version=True)
    except NotRun:
        driver.start()
