"""A device belongs to one claim at a time; the driver is the last that can see to it."""

from typing import Any

from conformance.check import check
from conformance.cluster import Claim, Cluster, Installation, Node
from conformance.cluster.api import Forbidden
from conformance.expect import Expect
from conformance.verdict import NotApplicable, NotRun


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
    second = cluster.apply("unallocated.yaml").claim("idle")
    allocate(cluster, second, allocation)
    answer = node.prepare(second.ref)
    node.unprepare(second.ref)
    expect("PREP-16").true(answer.error, "a device that is prepared for a claim is refused to another", answer.devices)


def allocation_of(claim: Claim) -> dict[str, Any]:
    """What the scheduler has decided for a claim."""
    found: dict[str, Any] = claim.get()["status"]["allocation"]
    return found


def allocate(cluster: Cluster, claim: Claim, allocation: dict[str, Any]) -> None:
    """Write the scheduler's decision in its place. Raises NotRun where the cluster does not let us."""
    try:
        cluster.api.replace_status("resourceclaims", {**claim.get(), "status": {"allocation": allocation}})
    except Forbidden as error:
        raise NotRun(f"the run may not write the status of a claim: {error.message}") from None


def is_shared(result: dict[str, Any], driver: str) -> bool:
    """Whether several claims may rightly have the device of this result."""
    return result["driver"] == driver and bool(result.get("adminAccess") or result.get("shareID"))
