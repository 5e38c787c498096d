"""A claim that outlives its pod is allocated anew for the next one, and that may be other devices."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.allocating import allocation_of
from conformance.checks.preparation.test_device_in_use import is_shared
from conformance.checks.preparation.test_shared_claim import unmet, user
from conformance.cluster import Cluster, Installation, Node, wait_for
from conformance.expect import Expect
from conformance.verdict import Inconclusive, NotApplicable


@check(
    id="preparation.allocated_anew",
    covers=("PREP-12", "UNP-10"),
    needs=("injection.two_claims", "unpreparing.cleans_up"),
    claims=2,
)
def test_allocated_anew(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim that had a device for one pod, and has another device for the next pod, is prepared with the latter."""
    name = driver.target.driver_name
    claim = cluster.apply("unallocated.yaml", name="again").claim("again")
    pod, earlier = user(cluster, "first", "again"), claim.devices(name)
    if any(is_shared(result, name) for result in allocation_of(claim)["devices"]["results"]):
        raise NotApplicable("a valid claim of this driver shares its devices")
    pod.delete()
    wait_for(lambda: not claim.devices(), f"claim {claim.name} to be allocated no more", timeout=30)
    holder = cluster.apply("one_pod.yaml", name="holder").pod("holder").wait_running()
    until_good(lambda: node.unprepare(holder.claim("devices").ref))  # so that no driver refuses what it has given
    start = len(cluster.history)
    pod = cluster.apply("users.yaml", name="second", shared="again").pod("second")
    later = claim.wait_allocated()
    if set(later) & set(earlier):
        raise Inconclusive(f"the scheduler gave the claim {earlier[0].device} again, although another pod was there")
    answer = cluster.wait_answer("NodePrepareResources", claim.uid, since=start)
    expect("UNP-10").equal(answer.error, "", "a claim that was unprepared is prepared for the next pod")
    named = {(device.pool_name, device.device_name) for device in answer.devices}
    own = {(row.pool, row.device) for row in later}
    expect("PREP-12").equal(sorted(named - own), [], "it gets the devices that it was allocated last")
    pod.wait_running()
    expect("PREP-12").equal(unmet(claim, pod), [], "a container sees these devices")
