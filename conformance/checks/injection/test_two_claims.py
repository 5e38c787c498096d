"""Claims side by side do not mix: each container sees its own devices only."""

from conformance.check import check
from conformance.checks.injection.owned import faults
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="injection.two_claims",
    covers=("CDI-04", "CDI-05", "CDI-06"),
    needs=("injection.specs_resolve",),
    claims=2,
)
def test_two_claims(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Two claims have CDI devices of their own, and the first keeps its content when the second is prepared."""
    one = cluster.apply("one_pod.yaml", name="one").pod("one")
    one.wait_running()
    first = one.wait_prepared("devices")
    before = node.container(one.uid, "main")
    content = {cdi_id: node.cdi.edits([cdi_id]) for cdi_id in first.cdi_ids}
    two = cluster.apply("one_pod.yaml", name="two").pod("two")
    second = two.wait_prepared("devices")
    expect("CDI-04").equal(faults(cluster, node, first, second), {}, "no CDI device is defined twice")
    expect("CDI-06").equal(node.cdi.unresolved(first.cdi_ids), [], "the first claim's CDI ids still resolve")
    changed = [cdi_id for cdi_id, edits in content.items() if node.cdi.edits([cdi_id]) != edits]
    expect("CDI-05").equal(changed, [], "the second claim does not use a CDI id of the first for something else")
    two.wait_running()
    after = node.restart_container(one.uid, "main")
    expect("CDI-06").equal(after, before, "a restarted container of the first pod sees what it saw before")
