"""A driver that was killed knows its prepared claims again."""

from conformance.check import Tier, check
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="restart.recovers",
    covers=("PREP-07", "UNP-05", "CDI-06"),
    needs=("registration.after_kill", "unpreparing.cleans_up", "preparation.repeat_same_devices"),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_recovers(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """After SIGKILL and a new start a prepared claim is prepared the same way again, and Unprepare cleans it up."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    first = pod.wait_prepared("devices")
    claim = pod.claim("devices").ref
    driver.restart()
    expect("CDI-06").equal(node.cdi.unresolved(first.cdi_ids), [], "the CDI specs of a running pod are still there")
    again = node.prepare(claim)
    expect("PREP-07").equal(again.error, "", "Prepare of the claim succeeds after the restart")
    expect("PREP-07").equal(again.devices, first.devices, "it is prepared with the same devices")
    driver.restart()
    undone = node.unprepare(claim)
    expect("UNP-05").equal(undone.error, "", "Unprepare succeeds after a restart")
    expect("UNP-05").equal(node.cdi.devices_for(claim.uid), [], "the claim's CDI devices are removed")
