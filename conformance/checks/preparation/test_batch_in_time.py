"""A pod's claims come in one call, and all of them together have the time that the kubelet gives a call."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.deadline import DEADLINE, missed
from conformance.cluster import Cluster, Node
from conformance.expect import Expect


@check(
    id="preparation.batch_in_time",
    covers=("PREP-17", "PREP-31", "UNP-12"),
    needs=("injection.two_claims", "preparation.repeat_same_devices", "unpreparing.device_free"),
    claims=2,
)
def test_batch_in_time(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Calls for two claims end within the kubelet's deadline, and so does one that names a claim twice."""
    pod = cluster.apply("two_claims.yaml").pod("user")
    first, second = pod.claim("first").ref, pod.claim("second").ref
    asked = cluster.first_answer("NodePrepareResources", second.uid)
    late = asked.late and missed(cluster.backend, DEADLINE, lambda: node.prepare(first, second).late)
    expect("PREP-17").true(not late, f"Prepare of two claims ends within {DEADLINE:g} s", asked.error)
    if not asked.error:  # else preparation.batch says what is wrong
        pod.wait_running()
    undone = node.unprepare(first, second)
    late = undone.late and missed(cluster.backend, DEADLINE, lambda: node.unprepare(first, second).late)
    expect("UNP-12").true(not late, f"Unprepare of two claims ends within {DEADLINE:g} s", undone.error)
    until_good(lambda: node.unprepare(second))  # alone: preparation.batch says whether one call is enough for both
    double = until_good(lambda: node.prepare(first, first))
    expect("PREP-31").equal(double.error, "", "a claim named twice in one call is prepared, and has an entry")
