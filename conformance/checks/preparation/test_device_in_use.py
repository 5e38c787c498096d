"""A device belongs to one claim at a time; the driver is the last that can see to it."""

from typing import Any

from conformance.check import check
from conformance.checks.preparation.allocating import allocate, allocation_of, unallocated
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="preparation.device_in_use",
    covers=("PREP-16",),
    needs=("injection.specs_resolve", "unpreparing.cleans_up"),
    claims=1,
)
def test_device_in_use(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim is refused whose allocation, by mistake, names devices that are prepared for another claim."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    allocation = allocation_of(pod.claim("devices"))
    if any(is_shared(result, driver.target.driver_name) for result in allocation["devices"]["results"]):
        raise NotApplicable("a valid claim of this driver shares its devices")
    second = unallocated(cluster, "idle")
    allocate(cluster, second, allocation)
    answer = node.prepare(second.ref)
    node.unprepare(second.ref)
    expect("PREP-16").true(answer.error, "a device that is prepared for a claim is refused to another", answer.devices)


def is_shared(result: dict[str, Any], driver: str) -> bool:
    """Whether several claims may rightly have the device of this result."""
    return result["driver"] == driver and bool(result.get("adminAccess") or result.get("shareID"))
