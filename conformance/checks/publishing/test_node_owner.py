"""Slices of node-local devices belong to their node."""

from conformance.check import check
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="publishing.node_owner",
    covers=("RS-03", "RS-04"),
    needs=("publishing.pool_complete",),
)
def test_node_owner(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Node-local slices carry the node's name, and the Node owns them, so that they go when it goes."""
    if driver.target.driver.scope != "node-local":
        raise NotApplicable(f"the driver file says that the devices are {driver.target.driver.scope}")
    uid = cluster.api.get("nodes", node.name)["metadata"]["uid"]
    for item in settled_slices(cluster):
        name = item["metadata"]["name"]
        expect("RS-03").equal(
            item["spec"].get("nodeName"),
            node.name,
            f"slice {name} names the node of its node-local devices",
        )
        owners = [
            (owner["kind"], owner["uid"], owner.get("controller", False))
            for owner in item["metadata"].get("ownerReferences") or []
        ]
        expect("RS-04").contains(owners, ("Node", uid, True), f"slice {name} has the Node as its controlling owner")
