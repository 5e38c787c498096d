"""A driver that was killed knows its prepared claims again."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.restart.comeback import trouble_after_restart
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="restart.recovers",
    covers=("PREP-06", "PREP-07", "PREP-08", "UNP-05", "CDI-06"),
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
    expect("PREP-07").equal(trouble_after_restart(driver), "", "the driver starts over what it had prepared")
    expect("CDI-06").equal(node.cdi.unresolved(first.cdi_ids), [], "the CDI specs of a running pod are still there")
    again = until_good(lambda: node.prepare(claim))
    expect("PREP-07").equal(again.error, "", "Prepare of the claim succeeds after the restart")
    expect("PREP-08").equal(node.cdi.unresolved(again.cdi_ids), [], "every CDI id of the answer is in a spec")
    expect("PREP-06").equal(again.devices, first.devices, "same devices, same order, same CDI ids")
    expect("UNP-05").equal(trouble_after_restart(driver), "", "the driver starts once more")
    undone = until_good(lambda: node.unprepare(claim))
    expect("UNP-05").equal(undone.error, "", "Unprepare succeeds after a restart")
    expect("UNP-05").equal(node.cdi.devices_for(claim.uid), [], "the claim's CDI devices are removed")
