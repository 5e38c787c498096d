"""Each node has slices of its own."""

from conformance.check import check
from conformance.checks.publishing.together import judge_pools, need_local_devices, nodes_of, uids_of
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
    before = uids_of(cluster, node)
    with cluster.backend.fleet(driver) as fleet:
        gone = before - uids_of(cluster, node)
        expect("RS-15").equal(gone, set(), f"slices of node {node.name} outlive the start of another node's instance")
        for each in nodes_of(fleet):
            uid = cluster.api.get("nodes", each.name)["metadata"]["uid"]
            slices = cluster.slices_of(each)
            owners = [owner for item in slices for owner in item["metadata"].get("ownerReferences") or ()]
            others = [owner["name"] for owner in owners if owner["kind"] == "Node" and owner["uid"] != uid]
            expect("RS-04").equal(others, [], f"no other node owns the slices of node {each.name}")
        judge_pools(cluster, nodes_of(fleet), expect)
