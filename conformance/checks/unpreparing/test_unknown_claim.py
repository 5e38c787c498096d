"""Unprepare of a claim that was never prepared is a success."""

from uuid import uuid4

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import ClaimRef, Cluster, Node
from conformance.expect import Expect


@check(
    id="unpreparing.unknown_claim",
    covers=("UNP-01", "UNP-03", "UNP-12"),
    needs=("registration.advertised_services", "publishing.pool_complete"),
)
def test_unknown_claim(cluster: Cluster, node: Node, expect: Expect) -> None:
    """The kubelet may ask for a claim that the driver never saw: it gets an entry without an error."""
    claim = ClaimRef(cluster.namespace, "never-prepared", str(uuid4()))
    answer = until_good(lambda: node.unprepare(claim))
    expect("UNP-12").true(not answer.late, "Unprepare of an unknown claim ends within 45 s", answer.error)
    expect("UNP-03").equal(answer.error, "", "Unprepare of an unknown claim succeeds")
    expect("UNP-01").equal(answer.uids, [claim.uid], "the answer has one entry, keyed by the claim's UID")
