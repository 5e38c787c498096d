"""A claim that asks for a capacity, such as so much memory, gets and is prepared with a device that has it."""

from conformance.check import check
from conformance.checks.allocation.attribute import largest
from conformance.checks.allocation.selection import candidates
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="allocation.selected_capacity",
    covers=("PREP-10",),
    needs=("preparation.one_claim",),
    claims=1,
)
def test_selected_capacity(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A CEL selector on a published capacity picks a device that has the most of it, and the driver prepares it."""
    expression = largest(driver.target.driver_name, candidates(cluster))
    if not expression:
        raise NotApplicable("the devices that a valid claim can get have no capacity in common")
    pod = cluster.apply("one_pod.yaml", claim=driver.target.claim_spec(selectors=[expression])).pod("user")
    answer = pod.wait_prepared("devices")
    expect("PREP-10").equal(answer.error, "", f"a device with {expression} is prepared")
    allocated = {(row.pool, row.device) for row in pod.claim("devices").devices(driver.target.driver_name)}
    others = sorted({(device.pool_name, device.device_name) for device in answer.devices} - allocated)
    expect("PREP-10").equal(others, [], f"the answer names no device but {sorted(allocated)}, which was allocated")
