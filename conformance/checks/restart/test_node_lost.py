"""A machine that is removed takes its slices with it."""

from conformance.check import Tier, check
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import need_local_devices, nodes_of, uids_of
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect

GONE = 45.0  # seconds: garbage collection takes one or two, on a busy machine more
RETURN = 60.0  # seconds: a kubelet that starts may wipe slices, and helpers of drivers look again 30 s later


@check(
    id="restart.node_lost",
    covers=("RS-04", "RS-09", "RS-10", "RS-15"),
    needs=("registration.after_kill", "publishing.per_node", "preparation.each_node"),
    tier=Tier.DISRUPT_NODE,
    claims=1,
)
def test_node_lost(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """Slices of a node that is lost go, and come back with it; slices and pods of the other node do not notice."""
    need_local_devices(cluster)
    with cluster.backend.fleet(driver) as fleet:
        here, there = nodes_of(fleet)[:2]
        staying = cluster.apply("one_pod.yaml", name="staying").pod("staying").wait_running()
        before, kept = devices_of(cluster, there), uids_of(cluster, here)
        with fleet.lose(there):
            gone = seen_within(lambda: not cluster.slices_of(there), GONE)
            left = [] if gone else [item["metadata"]["name"] for item in cluster.slices_of(there)]
            expect("RS-04").equal(left, [], f"the slices of node {there.name} go when the node goes")
        back = seen_within(lambda: devices_of(cluster, there), RETURN)
        expect("RS-10").true(back, f"its slices are back within {RETURN:g} s", fleet.installations[1].trouble())
        expect("RS-09").equal(back or before, before, "the devices have the same names as before")
        expect("RS-15").equal(kept - uids_of(cluster, here), set(), f"the slices of node {here.name} are left alone")
        cluster.apply("one_pod.yaml", name="late", node=there.name).pod("late").wait_running()
        staying.wait_running()


def devices_of(cluster: Cluster, node: Node) -> dict[str, list[str]]:
    """Names of the devices that a node's slices have, by pool; {} while a pool is not complete."""
    pools = pools_of(cluster.slices_of(node))
    if not all(pool.complete for pool in pools):
        return {}
    return {pool.name: sorted(device["name"] for device in pool.devices) for pool in pools}
