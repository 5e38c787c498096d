"""A claim's status informs; nothing waits for it."""

from conformance.check import check
from conformance.cluster import Cluster
from conformance.expect import Expect


@check(
    id="status.not_written",
    covers=("STS-03",),
    needs=("status.reported",),
    profile="device-status",
    features=("device-status",),
    claims=1,
)
def test_not_written(cluster: Cluster, expect: Expect) -> None:
    """A claim is prepared although its status cannot be written."""
    with cluster.backend.refuse_writes("resourceclaims/status"):
        answer = cluster.apply("one_pod.yaml").pod("user").wait_prepared("devices")
    expect("STS-03").equal(
        answer.error, "", "Prepare succeeds while the API server refuses to store the claim's status"
    )
