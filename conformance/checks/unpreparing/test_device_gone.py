"""A pod must be able to end although its device has vanished."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.hardware import device_of, need_device, noticed, offered, removed
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="unpreparing.device_gone",
    covers=("UNP-14",),
    needs=("publishing.gone_device", "unpreparing.cleans_up"),
    tier=Tier.DISRUPT_DRIVER,
    hooks=("remove_device", "add_device"),
    claims=1,
)
def test_device_gone(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim whose device has vanished can be unprepared."""
    before = offered(cluster)
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim, device = pod.claim("devices").ref, device_of(pod)
    with removed(cluster, driver, device):
        need_device(noticed(cluster, before, device), device, "removeDevice")
        undone = until_good(lambda: node.unprepare(claim))
        left = node.cdi.devices_for(claim.uid)
    expect("UNP-14").equal(undone.error, "", "Unprepare succeeds although the device is gone")
    expect("UNP-14").equal(left, [], "it removes the claim's CDI devices")
