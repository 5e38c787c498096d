"""Each node has slices of its own."""

from conformance.check import check
from conformance.checks.publishing.kept import judge_left_alone, settled_pools
from conformance.checks.publishing.machine import need_names_of_nodes
from conformance.checks.publishing.together import judge_pools, need_local_devices, nodes_of
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="publishing.per_node",
    covers=("RS-04", "RS-05", "RS-08", "RS-15"),
    needs=("publishing.node_owner",),
)
def test_per_node(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Instances on two nodes publish pools that do not mix, and each leaves the slices of the other alone."""
    need_local_devices(cluster)
    before, since = settled_pools(cluster, node), len(cluster.history)
    with cluster.backend.fleet(driver) as fleet:
        need_names_of_nodes(cluster, fleet)
        judge_left_alone(cluster, driver, before, since, expect)
        for each in nodes_of(fleet):
            uid = cluster.api.get("nodes", each.name)["metadata"]["uid"]
            slices = cluster.slices_of(each)
            owners = [owner for item in slices for owner in item["metadata"].get("ownerReferences") or ()]
            others = [owner["name"] for owner in owners if owner["kind"] == "Node" and owner["uid"] != uid]
            expect("RS-04").equal(others, [], f"no other node owns the slices of node {each.name}")
        judge_pools(cluster, nodes_of(fleet), expect)
