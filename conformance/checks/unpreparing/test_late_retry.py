"""A driver that tries again by itself must notice when the claim was given up meanwhile."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.allocating import allocate, allocation_of, unallocated
from conformance.cluster import Cluster, Node, seen_within
from conformance.expect import Expect

LATE = 2.0  # seconds in which a driver that tries again by itself has done so


@check(
    id="unpreparing.late_retry",
    covers=("UNP-06", "UNP-07", "UNP-10"),
    needs=("unpreparing.cleans_up", "preparation.unreadable_claim"),
    claims=1,
)
def test_late_retry(cluster: Cluster, node: Node, expect: Expect) -> None:
    """A claim that could not be read, and so not be prepared, is not prepared any more once it was unprepared."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim = pod.claim("devices")
    allocation = allocation_of(claim)
    until_good(lambda: node.unprepare(claim.ref))
    with cluster.backend.hide_claims():
        node.prepare(claim.ref)
        undone = until_good(lambda: node.unprepare(claim.ref))
    expect("UNP-06").equal(undone.error, "", "Unprepare after the failed Prepare succeeds")
    back = seen_within(lambda: node.cdi.devices_for(claim.uid), LATE)
    expect("UNP-07").equal(back, [], "no CDI device of the claim appears after it was unprepared")
    pod.delete()
    other = unallocated(cluster, "other")
    allocate(cluster, other, allocation)
    answer = until_good(lambda: node.prepare(other.ref))
    expect("UNP-10").equal(answer.error, "", "another claim can have the devices")
    until_good(lambda: node.unprepare(other.ref))
