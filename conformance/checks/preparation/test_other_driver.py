"""A claim may have devices of several drivers, and each of these is asked to prepare it."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.beside import REQUEST, beside, without_own
from conformance.checks.status.entries import entries_of
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="preparation.other_driver",
    covers=("PREP-14", "UNP-07", "STS-02"),
    needs=("preparation.one_claim", "injection.specs_resolve", "unpreparing.cleans_up"),
    claims=1,
)
def test_other_driver(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Of a claim with devices of two drivers, each prepares and unprepares its own, and the pod runs with both."""
    with cluster.backend.companion() as other:
        pod = cluster.apply("one_pod.yaml", claim=beside(cluster, other)).pod("user")
        answer = pod.wait_prepared("devices")
        expect("PREP-14").equal(answer.error, "", "a claim that has a device of another driver, too, is prepared")
        claim = pod.claim("devices")
        own = {(row.pool, row.device) for row in claim.devices(driver.target.driver_name)}
        foreign = [
            device
            for device in answer.devices
            if (device.pool_name, device.device_name) not in own or REQUEST in device.request_names
        ]
        expect("PREP-14").equal(foreign, [], "the driver's answer names devices of its own only")
        theirs = cluster.seen_by(other).wait_answer("NodePrepareResources", claim.uid).cdi_ids
        expect("PREP-14").equal(node.cdi.unresolved(theirs), [], "CDI devices of the other driver are left alone")
        pod.wait_running()
        written = [entry for entry in entries_of(claim) if entry["driver"] == other.driver_name]
        expect("STS-02").equal(written, [], "nothing is written into status.devices in the name of the other driver")
        until_good(lambda: node.unprepare(claim.ref))
        expect("PREP-14").equal(
            node.cdi.unresolved(theirs), [], "Unprepare leaves the other driver's CDI devices alone"
        )
        theirs_alone = cluster.apply("one_pod.yaml", name="theirs", claim=without_own(other)).pod("theirs")
        ref = theirs_alone.wait_running().claim("devices").ref
        made_up = node.prepare(ref).devices
        node.unprepare(ref)
        expect("PREP-14").equal(made_up, [], "a claim that has only devices of another driver gets none from this one")
        pod.delete()
        expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "afterwards no CDI device of the claim is left")
