"""A reboot empties the CDI folder while the driver's state stays on disk."""

from conformance.check import Tier, check
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect


@check(
    id="restart.reboot",
    covers=("PREP-07", "PREP-08"),
    needs=("registration.after_kill", "preparation.repeat_same_devices"),
    tier=Tier.DISRUPT_NODE,
    claims=1,
)
def test_reboot(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """After a reboot the pod's claim is prepared anew, and its CDI specs are really written again."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices")
    start = len(cluster.history)
    node.reboot(driver)
    name = driver.target.driver_name
    seen_within(lambda: node.registrations(name) or not driver.instances, driver.target.ready_within)
    expect("PREP-07").true(node.registrations(name), "the driver starts over what it had prepared", driver.trouble())
    answer = cluster.wait_answer("NodePrepareResources", claim.uid, since=start)
    expect("PREP-07").equal(answer.error, "", "the claim is prepared again after the reboot")
    expect("PREP-08").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id of the answer is in a spec again")
    pod.wait_running()
