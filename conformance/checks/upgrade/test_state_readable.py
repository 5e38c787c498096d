"""What the old version wrote, the next one understands."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect


@check(
    id="upgrade.state_readable",
    covers=("UPG-03", "PREP-06"),
    needs=("upgrade.sockets_per_instance", "restart.recovers"),
    profile="rolling-update",
    features=("rolling-update",),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_state_readable(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim that the old version prepared is prepared again, and unprepared, by the next version."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    first = pod.wait_prepared("devices")
    claim = pod.claim("devices").ref
    with driver.roll_out() as (_, new):
        within = driver.target.ready_within
        both = seen_within(lambda: len(node.registrations(driver.target.driver_name)) == 2 or not new.alive, within)
        expect("UPG-03").true(both and new.alive, "the next version starts beside the old one's state", new.log_tail(5))
    again = until_good(lambda: node.prepare(claim))
    expect("UPG-03").equal(again.error, "", "Prepare of the old version's claim succeeds")
    expect("UPG-03").equal(node.cdi.unresolved(again.cdi_ids), [], "every CDI id of the answer is in a spec")
    expect("PREP-06").equal(again.devices, first.devices, "same devices, same order, same CDI ids")
    undone = until_good(lambda: node.unprepare(claim))
    expect("UPG-03").equal(undone.error, "", "Unprepare succeeds")
    expect("UPG-03").equal(node.cdi.devices_for(claim.uid), [], "the claim's CDI devices are removed")
