"""Several claims of one pod come in one call; each gets its own result."""

from uuid import uuid4

from conformance.check import check
from conformance.cluster import ClaimRef, Cluster, Node
from conformance.expect import Expect


@check(
    id="preparation.batch",
    covers=("PREP-02", "PREP-20"),
    needs=("injection.two_claims",),
    claims=2,
)
def test_batch(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Two claims in one request are both prepared, and a missing one among them is not reported as prepared."""
    pod = cluster.apply("two_claims.yaml", name="user").pod("user")
    pod.wait_running()
    first, second = pod.claim("first").ref, pod.claim("second").ref
    both = node.prepare(first, second)
    expect("PREP-20").equal(both.error, "", "two claims in one request are prepared")
    expect("PREP-02").equal(both.uids, sorted([first.uid, second.uid]), "there is an entry for each and for no other")
    devices = [{device.device_name for device in both.entry(claim).devices} for claim in (first, second)]
    expect("PREP-20").true(all(devices), "both entries have devices", devices)
    missing = ClaimRef(cluster.namespace, "missing", str(uuid4()))
    mixed = node.prepare(first, missing)
    node.unprepare(missing)
    refused = mixed.code != "OK" or mixed.entry(missing).error != ""
    expect("PREP-20").true(refused, "a missing claim in the request is refused", mixed.entry(missing))
