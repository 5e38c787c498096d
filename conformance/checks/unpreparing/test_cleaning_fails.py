"""What cannot be cleaned up now is said, and cleaned up later."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.unpreparing.specs import spec_files
from conformance.cluster import Cluster, Node
from conformance.cluster.obstacles import unwritable
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="unpreparing.cleaning_fails",
    covers=("UNP-08",),
    needs=("unpreparing.cleans_up",),
    claims=1,
)
def test_cleaning_fails(cluster: Cluster, node: Node, expect: Expect) -> None:
    """An Unprepare that cannot remove the claim's CDI specs ends in an error, and a later one finishes the work."""
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    with unwritable({path.parent for path in spec_files(cluster, node, claim.uid)}):
        answer = node.unprepare(claim)
        left = node.cdi.devices_for(claim.uid)
    if not left:
        raise NotApplicable("the driver takes CDI devices away in a way that needs no writable folder")
    expect("UNP-08").true(answer.error, "an Unprepare that cannot remove the claim's CDI specs fails", answer)
    again = until_good(lambda: node.unprepare(claim))
    expect("UNP-08").equal(again.error, "", "once the folder of CDI specs can be written to again, Unprepare succeeds")
    expect("UNP-08").equal(node.cdi.devices_for(claim.uid), [], "it then removes the claim's CDI devices")
