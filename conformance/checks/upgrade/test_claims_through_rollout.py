"""Claims are prepared and unprepared all through a rolling update."""

from conformance.check import Tier, check
from conformance.checks.upgrade.outlive import judge_outlives, published
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="upgrade.claims_through_rollout",
    covers=("UPG-02", "UPG-04"),
    needs=("upgrade.state_readable", "injection.two_claims"),
    profile="rolling-update",
    features=("rolling-update",),
    tier=Tier.DISRUPT_DRIVER,
    claims=2,
)
def test_claims_through_rollout(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Pods start before, during and after the overlap; running pods and the slices do not notice the update."""
    since = len(cluster.history)
    old_pod = cluster.apply("one_pod.yaml", name="old").pod("old")
    old_pod.wait_running()
    prepared = old_pod.wait_prepared("devices")
    with driver.roll_out():
        node.wait_registered(driver.target.driver_name, count=2, timeout=driver.target.ready_within)
        during = cluster.apply("one_pod.yaml", name="during").pod("during")
        answer = during.wait_prepared("devices")
        expect("UPG-02").equal(answer.error, "", "a claim is prepared while both instances live")
        during.wait_running()
        before = published(cluster, cluster.slices, since)
    expect("UPG-04").equal(node.cdi.unresolved(prepared.cdi_ids), [], "CDI specs of running pods outlive the old one")
    during.delete()
    after = cluster.apply("one_pod.yaml", name="after").pod("after")
    expect("UPG-02").equal(after.wait_prepared("devices").error, "", "a claim is prepared after the old one ended")
    judge_outlives(cluster, before, cluster.slices, expect)
