"""Several claims of one pod come in one call, and go in one; each gets its own result."""

from functools import partial
from uuid import uuid4

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import ClaimRef, Cluster, Node
from conformance.expect import Expect


@check(
    id="preparation.batch",
    covers=("PREP-01", "PREP-02", "PREP-13", "PREP-20", "UNP-09"),
    needs=("injection.two_claims", "preparation.repeat_same_devices", "preparation.batch_in_time"),
    claims=2,
)
def test_batch(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Two claims in one request are both prepared, a missing one among them is not, and both are unprepared in one."""
    pod = cluster.apply("two_claims.yaml", name="user").pod("user")
    first, second = pod.claim("first").ref, pod.claim("second").ref
    expect("PREP-20").equal(pod.wait_prepared("second").error, "", "two claims in one request are prepared")
    pod.wait_running()
    both = until_good(lambda: node.prepare(first, second))
    expect("PREP-20").equal(both.error, "", "two claims in one request are prepared again")
    expect("PREP-02").equal(both.uids, sorted([first.uid, second.uid]), "there is an entry for each and for no other")
    expect("PREP-20").equal(node.cdi.unresolved(both.cdi_ids), [], "the CDI ids of both resolve")
    missing = ClaimRef(cluster.namespace, "missing", str(uuid4()))
    mixed = node.prepare(first, missing)
    node.unprepare(missing)
    refused = mixed.code != "OK" or mixed.entry(missing).error != ""
    expect("PREP-13").true(refused, "a claim that does not exist is refused beside a good one", mixed.entry(missing))
    complete = mixed.code != "OK" or mixed.uids == sorted([first.uid, missing.uid])
    expect("PREP-01").true(complete, "a claim that is refused has an entry as well", mixed.uids)
    until_good(lambda: node.unprepare(first, second))
    left = left_of(node, first, second)
    for claim in (first, second):
        until_good(partial(node.unprepare, claim))
    late = sorted(left - left_of(node, first, second))
    expect("UNP-09").equal(late, [], "two claims in one request are unprepared no less than each by itself")


def left_of(node: Node, *claims: ClaimRef) -> set[str]:
    """The CDI devices that there are for claims."""
    return {device for claim in claims for device in node.cdi.devices_for(claim.uid)}
