"""Prepare is idempotent: what is prepared stays prepared, with the same devices."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="preparation.repeat_same_devices",
    covers=("PREP-01", "PREP-05", "PREP-06", "PREP-08"),
    needs=("injection.specs_resolve",),
    claims=1,
)
def test_repeat_same_devices(cluster: Cluster, node: Node, expect: Expect) -> None:
    """A second NodePrepareResources for a prepared claim gives the first answer again."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices")
    first = pod.wait_prepared("devices")
    again = until_good(lambda: node.prepare(claim.ref))
    expect("PREP-05").equal(again.error, "", "a repeated Prepare succeeds")
    expect("PREP-01").equal(again.uids, [claim.uid], "the answer has one entry, keyed by the claim's UID")
    expect("PREP-06").equal(again.devices, first.devices, "same devices, same order, same CDI ids")
    expect("PREP-08").equal(node.cdi.unresolved(again.cdi_ids), [], "every CDI id of the answer is in a spec")
