"""What a driver tidies up when it starts is what was left, not what it is asked for meanwhile."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.restart.comeback import trouble_after_restart
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect

TIDYING = 2.0  # seconds after the claim was prepared in which a driver has tidied up, as long as nothing delays it


@check(
    id="restart.prepared_at_once",
    covers=("PREP-07", "PREP-08", "CDI-06"),
    needs=("restart.recovers",),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_prepared_at_once(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim that is prepared as soon as the driver is back keeps its CDI specs while the driver tidies up."""
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    until_good(lambda: node.unprepare(claim))  # so that the driver does not know it when it starts
    expect("PREP-07").equal(trouble_after_restart(driver), "", "the driver starts again")
    answer = until_good(lambda: node.prepare(claim))
    expect("PREP-07").equal(answer.error, "", "a claim is prepared as soon as the driver is ready again")
    expect("PREP-08").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id of the answer is in a spec")
    lost = seen_within(lambda: node.cdi.unresolved(answer.cdi_ids), TIDYING)
    expect("CDI-06").equal(lost, [], "the CDI specs stay until Unprepare")
