"""A claim whose device vanishes before it is prepared fails, and is prepared once the device is back."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.hardware import device_of, need_device, noticed, offered, removed, within_notice
from conformance.checks.preparation.allocating import allocate, allocation_of, unallocated
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="preparation.device_back",
    covers=("PREP-15", "PREP-33"),
    needs=("publishing.gone_device", "preparation.missing_device"),
    tier=Tier.DISRUPT_DRIVER,
    hooks=("remove_device", "add_device"),
    claims=1,
)
def test_device_back(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim is refused whose device has vanished since it was allocated; once the device is back it is prepared."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    device, allocation = device_of(pod), allocation_of(pod.claim("devices"))
    pod.delete()
    claim, before = unallocated(cluster, "idle"), offered(cluster)
    allocate(cluster, claim, allocation)
    with removed(cluster, driver, device):
        need_device(noticed(cluster, before, device), device, "removeDevice")
        refused = node.prepare(claim.ref)
    within_notice(cluster, lambda: not node.prepare(claim.ref).error)
    prepared = node.prepare(claim.ref)
    until_good(lambda: node.unprepare(claim.ref))
    expect("PREP-15").true(refused.error, "a claim whose device has vanished fails", refused.devices)
    expect("PREP-33").equal(prepared.error, "", "once the device is back the claim is prepared")
