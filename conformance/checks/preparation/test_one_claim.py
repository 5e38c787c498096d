"""One claim: the driver's answer says what was prepared, in the kubelet's terms."""

from conformance.check import check
from conformance.checks.deadline import DEADLINE, missed
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="preparation.one_claim",
    covers=("PREP-01", "PREP-10", "PREP-11", "PREP-17", "PREP-34", "RS-13"),
    needs=("registration.advertised_services", "publishing.pool_complete"),
    claims=1,
)
def test_one_claim(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Prepare of a valid claim is answered with one entry that names the allocated devices and their requests."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    claim = pod.claim("devices")
    claim.wait_allocated()
    first = cluster.first_answer("NodePrepareResources", claim.uid)
    late = first.late and missed(cluster.backend, DEADLINE, lambda: node.prepare(claim.ref).late)
    expect("PREP-17").true(not late, "Prepare ends within 45 s", first.error)
    answer = pod.wait_prepared("devices")
    allocated = claim.devices(driver.target.driver_name)
    expect("PREP-34").equal(first.error, "", "a valid claim is prepared at the first call")
    names = ", ".join(row.device for row in allocated)
    expect("RS-13").equal(answer.error, "", f"what is published as {names} can be prepared")
    expect("PREP-01").equal(answer.uids, [claim.uid], "the answer has one entry, keyed by the claim's UID")
    named = {(device.pool_name, device.device_name) for device in answer.devices}
    known = {(row.pool, row.device) for row in allocated}
    expect("PREP-10").equal(sorted(named - known), [], "each device of the answer is one that was allocated")
    requests = {row.request.partition("/")[0] for row in allocated}
    given = {name for device in answer.devices for name in device.request_names}
    expect("PREP-11").equal(sorted(given - requests), [], "request names are requests of the claim, without subrequest")
