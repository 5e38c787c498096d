"""Unprepare needs no API server: the claim may be gone."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="unpreparing.claim_gone",
    covers=("UNP-04",),
    needs=("unpreparing.cleans_up",),
    claims=1,
)
def test_claim_gone(cluster: Cluster, node: Node, expect: Expect) -> None:
    """While the API server refuses to show claims, Unprepare succeeds all the same and cleans up."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices").ref
    with cluster.backend.hide_claims():
        answer = until_good(lambda: node.unprepare(claim))
    expect("UNP-04").equal(answer.error, "", "Unprepare succeeds without reading the claim")
    expect("UNP-04").equal(node.cdi.devices_for(claim.uid), [], "the claim's CDI devices are removed")
