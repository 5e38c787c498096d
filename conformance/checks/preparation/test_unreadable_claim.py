"""What was allocated is in the claim, and nowhere else."""

from conformance.check import check
from conformance.cluster import Cluster, wait_for
from conformance.expect import Expect


@check(
    id="preparation.unreadable_claim",
    covers=("PREP-12",),
    needs=("injection.specs_resolve",),
    claims=1,
)
def test_unreadable_claim(cluster: Cluster, expect: Expect) -> None:
    """While the API server refuses to show a claim, Prepare fails, unless it gives what was allocated all the same."""
    cluster.need_calls()
    with cluster.backend.hide_claims():
        claim = cluster.apply("one_pod.yaml").pod("user").claim("devices")
        allocated = {(row.pool, row.device) for row in claim.wait_allocated()}
        answers = wait_for(
            lambda: cluster.answers("NodePrepareResources", claim.uid), f"claim {claim.name} to be tried", timeout=60
        )
    given = [device for answer in answers if not answer.error for device in answer.devices]
    made_up = [device for device in given if (device.pool_name, device.device_name) not in allocated]
    expect("PREP-12").equal(made_up, [], "a claim that cannot be read gets no devices that the driver made up")
