"""The driver's instances serve their own nodes."""

from functools import partial

from conformance.check import check
from conformance.checks.publishing.kept import devices_of, missing
from conformance.checks.publishing.together import SETTLED, need_local_devices, nodes_of
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect


@check(
    id="preparation.each_node",
    covers=("PREP-10", "RS-13"),
    needs=("publishing.per_node", "preparation.one_claim", "injection.specs_resolve"),
    claims=1,
)
def test_each_node(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """At the same time, a pod on each of two nodes runs with a device of its own node."""
    need_local_devices(cluster)
    with cluster.backend.fleet(driver) as fleet:
        for node in nodes_of(fleet):
            pod = cluster.apply("one_pod.yaml", name=node.name, node=node.hostname).pod(node.name)
            answer = pod.wait_prepared("devices")
            expect("RS-13").equal(answer.error, "", f"what is published for node {node.name} can be prepared there")
            named = {f"{device.pool_name}/{device.device_name}" for device in answer.devices}
            strange = missing(named, partial(devices_of, cluster, node), SETTLED)
            expect("PREP-10").equal(strange, [], f"the devices of the answer are those of node {node.name}")
            pod.wait_running()
