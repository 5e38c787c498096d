"""Unprepare undoes Prepare: nothing of the claim is left, the device is free."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.deadline import DEADLINE, missed
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="unpreparing.cleans_up",
    covers=("UNP-01", "UNP-02", "UNP-07", "UNP-12"),
    needs=("injection.specs_resolve", "unpreparing.unknown_claim"),
    claims=1,
)
def test_cleans_up(cluster: Cluster, node: Node, expect: Expect) -> None:
    """After the pod is gone its claim has no CDI device left, and a second Unprepare succeeds as well."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices").ref
    written = node.cdi.devices_for(claim.uid)
    start = len(cluster.history)
    pod.delete(wait=False)
    first = cluster.first_answer("NodeUnprepareResources", claim.uid, since=start)
    late = first.late and missed(cluster.backend, DEADLINE, lambda: node.unprepare(claim).late)
    expect("UNP-12").true(not late, "Unprepare ends within 45 s", first.error)
    answer = cluster.wait_answer("NodeUnprepareResources", claim.uid, since=start)
    keyed = answer.code != "OK" or answer.uids == [claim.uid]
    expect("UNP-01").true(keyed, "the answer has one entry, keyed by the claim's UID", answer.uids)
    expect("UNP-07").equal(answer.error, "", "Unprepare succeeds")
    left = node.cdi.devices_for(claim.uid)
    expect("UNP-07").equal(left, [], f"the CDI devices of the claim are removed ({len(written)} were written)")
    pod.wait_gone()
    again = until_good(lambda: node.unprepare(claim))
    expect("UNP-02").equal(again.error, "", "a second Unprepare succeeds")
