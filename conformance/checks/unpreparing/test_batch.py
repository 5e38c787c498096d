"""Several claims of one call are unprepared each by itself."""

from conformance.check import check
from conformance.checks.again import PATIENCE, until_good
from conformance.checks.unpreparing.specs import specs_that_may_go
from conformance.cluster import Cluster, Node, seen_within
from conformance.cluster.obstacles import stuck
from conformance.expect import Expect


@check(
    id="unpreparing.batch",
    covers=("UNP-01", "UNP-09"),
    needs=("unpreparing.cleans_up", "preparation.batch"),
    claims=2,
)
def test_batch(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Of two claims in one request the second is unprepared also when the first cannot be, and in the end both are."""
    pod = cluster.apply("two_claims.yaml").pod("user").wait_running()
    first, second = pod.claim("first").ref, pod.claim("second").ref
    of_both = specs_that_may_go(cluster, node, second.uid)
    outcomes = [("", "")]

    def second_is_good() -> bool:
        answer = node.unprepare(first, second)
        outcomes.append((answer.code, answer.entry(second).error))
        return outcomes[-1] == ("OK", "")

    with stuck(specs_that_may_go(cluster, node, first.uid) - of_both):
        seen_within(second_is_good, PATIENCE)
    expect("UNP-09").equal(outcomes[-1], ("OK", ""), "a claim is unprepared beside one whose spec cannot be removed")
    expect("UNP-09").equal(node.cdi.devices_for(second.uid), [], "its CDI devices are removed")
    both = until_good(lambda: node.unprepare(first, second))
    expect("UNP-09").equal(both.error, "", "two claims in one request are unprepared")
    expect("UNP-01").equal(both.uids, sorted([first.uid, second.uid]), "there is an entry for each and for no other")
    expect("UNP-09").equal(node.cdi.devices_for(first.uid), [], "the CDI devices of both are removed")
