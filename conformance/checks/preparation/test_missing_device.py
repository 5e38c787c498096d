"""The scheduler may allocate a device that is gone; the driver is the last that can see it."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.allocating import Object, allocate, allocation_of, results_of, unallocated
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect

MISSING = "no-such-device"


@check(
    id="preparation.missing_device",
    covers=("PREP-04", "PREP-15", "PREP-19", "OPS-02"),
    needs=("injection.specs_resolve", "unpreparing.cleans_up"),
    claims=1,
)
def test_missing_device(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim fails that has a device which does not exist, and its other devices can be had by another claim."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    allocation = allocation_of(pod.claim("devices"))
    pod.delete()
    bad = unallocated(cluster, "bad")
    allocate(cluster, bad, with_missing(allocation, driver.target.driver_name))
    first, refused = node.prepare(bad.ref), node.prepare(bad.ref)  # some driver fails at first, for another reason
    undone = until_good(lambda: node.unprepare(bad.ref))
    left = node.cdi.devices_for(bad.uid)
    bad.delete()  # no two claims have a device, not even here: a driver may look
    good = unallocated(cluster, "good")
    allocate(cluster, good, allocation)
    prepared = until_good(lambda: node.prepare(good.ref))
    until_good(lambda: node.unprepare(good.ref))
    given = [*first.devices, *refused.devices]
    fails = first.error and refused.error
    expect("PREP-15").true(fails, f"a claim with a device that does not exist ({MISSING}) fails", given)
    expect("PREP-04").equal(refused.code, "OK", "what is wrong with one claim is said in its entry of the answer")
    expect("OPS-02").contains(refused.error, MISSING, "the error names the device")
    expect("PREP-19").equal(undone.error, "", "Unprepare after the failed Prepare succeeds")
    expect("PREP-19").equal(left, [], "nothing of the claim is left")
    expect("PREP-19").equal(prepared.error, "", "the other devices of the claim can be prepared for another one")


def with_missing(allocation: Object, driver: str) -> Object:
    """The allocation with one more device of the driver, which does not exist, at its end."""
    devices = allocation["devices"]
    missing = {**results_of(allocation, driver)[-1], "device": MISSING}
    return {**allocation, "devices": {**devices, "results": [*devices["results"], missing]}}
