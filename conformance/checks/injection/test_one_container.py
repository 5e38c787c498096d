"""One container may use several claims and devices; what they set stands side by side."""

from conformance.check import check
from conformance.checks.injection.collisions import collisions
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="injection.one_container",
    covers=("CDI-10",),
    needs=("injection.two_claims", "preparation.batch"),
    claims=2,
)
def test_one_container(cluster: Cluster, node: Node, expect: Expect) -> None:
    """In a container with two claims, nothing that one device or claim sets is replaced by another."""
    pod = cluster.apply("one_container.yaml").pod("user").wait_running()
    devices = node.cdi.devices()
    given = [devices[cdi_id] for cdi_id in node.container(pod.uid, "main").cdi_ids]
    specs = {str(device.spec.path): device.spec.edits for device in given}
    parts = specs | {device.cdi_id: device.edits for device in given}
    expect("CDI-10").equal(collisions(parts), [], "variables, mounts and device nodes of all devices are there")
