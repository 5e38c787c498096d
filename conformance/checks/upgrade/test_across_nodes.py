"""One rolling update for all nodes."""

from functools import partial

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.publishing.together import judge_pools, need_local_devices, nodes_of, slices_of
from conformance.checks.upgrade.outlive import judge_outlives, published
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect


@check(
    id="upgrade.across_nodes",
    covers=("RS-05", "RS-08", "UPG-02", "UPG-04"),
    needs=("upgrade.state_readable", "preparation.each_node"),
    profile="rolling-update",
    features=("rolling-update",),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_across_nodes(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """While all nodes are updated at once, pods and claims on each keep what they have, and so do the pools."""
    need_local_devices(cluster)
    with cluster.backend.fleet(driver) as fleet:
        nodes, since = nodes_of(fleet), len(cluster.history)
        slices = partial(slices_of, cluster, nodes)
        pods = [cluster.apply("one_pod.yaml", name=node.name, node=node.hostname).pod(node.name) for node in nodes]
        prepared = [pod.wait_running().wait_prepared("devices").cdi_ids for pod in pods]
        with fleet.roll_out():
            for node in nodes:
                expect("UPG-02").true(
                    both_registered(node, driver), f"old and new instance both serve node {node.name}"
                )
            judge_pools(cluster, nodes, expect)
            before = published(cluster, slices, since)
        judge_outlives(cluster, before, slices, expect)
        judge_pools(cluster, nodes, expect)
        for node, pod, cdi_ids in zip(nodes, pods, prepared, strict=True):
            kept = f"CDI specs of the running pod on node {node.name} outlive the old instance"
            expect("UPG-04").equal(node.cdi.unresolved(cdi_ids), [], kept)
            again = until_good(partial(node.prepare, pod.claim("devices").ref))
            expect("UPG-02").equal(again.error, "", f"the new instance on node {node.name} prepares the claim again")


def both_registered(node: Node, driver: Installation) -> bool:
    """Whether two instances get registered on the node in time."""
    name = driver.target.driver_name
    return bool(seen_within(lambda: len(node.registrations(name)) == 2, driver.target.ready_within))
