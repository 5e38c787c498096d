"""One container may use two shares of a device."""

from conformance.check import check
from conformance.checks.injection.collisions import collisions
from conformance.checks.offered import claim_for
from conformance.checks.shares.shareable import shareable
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="shares.one_container",
    covers=("CDI-10",),
    needs=("shares.two_claims",),
    profile="consumable-capacity",
    features=("consumable-capacity",),
)
def test_one_container(cluster: Cluster, node: Node, expect: Expect) -> None:
    """In a container with two shares of one device, nothing that one share sets is replaced by the other."""
    claim = claim_for(cluster, shareable(cluster)[0])
    pod = cluster.apply("one_container.yaml", claim=claim).pod("user").wait_running()
    parts = {name: node.cdi.edits(pod.wait_prepared(name).cdi_ids) for name in ("first", "second")}
    expect("CDI-10").equal(collisions(parts), [], "both shares can be used in one container")
