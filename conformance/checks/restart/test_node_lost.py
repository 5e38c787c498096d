"""A machine that is removed takes its slices with it."""

from conformance.check import Tier, check
from conformance.checks.publishing.kept import devices_of, judge_left_alone, missing, settled_pools, time_to_return
from conformance.checks.publishing.together import need_local_devices, nodes_of
from conformance.checks.restart.left import slices_kept
from conformance.cluster import Cluster, Installation, seen_within, wait_for
from conformance.expect import Expect


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
    within = time_to_return(driver.target)
    with cluster.backend.fleet(driver) as fleet:
        here, there = nodes_of(fleet)[:2]
        uid = cluster.api.get("nodes", there.name)["metadata"]["uid"]
        staying = cluster.apply("one_pod.yaml", name="staying").pod("staying").wait_running()
        before = wait_for(lambda: devices_of(cluster, there), f"complete pools of node {there.name}", timeout=within)
        kept, since = settled_pools(cluster, here), len(cluster.history)
        with fleet.lose(there):
            left = slices_kept(cluster, there, uid)
            expect("RS-04").equal(left, [], f"the slices of node {there.name} go when the node goes")
        back = seen_within(lambda: devices_of(cluster, there), within)
        expect("RS-10").true(back, f"its slices are back within {within:g} s", fleet.installations[1].trouble())
        lost = missing(before, lambda: devices_of(cluster, there), within)
        expect("RS-09").equal(lost, [], "the devices have the same names as before")
        judge_left_alone(cluster, fleet.installations[0], kept, since, expect)
        cluster.apply("one_pod.yaml", name="late", node=there.hostname).pod("late").wait_running()
        staying.wait_running()
