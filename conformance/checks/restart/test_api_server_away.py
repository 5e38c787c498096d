"""The API server is away for a while, as during an upgrade of the control plane."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.publishing.kept import devices_of, time_to_return
from conformance.checks.publishing.test_republish import delete_slices_on
from conformance.checks.restart.comeback import trouble_until_ready
from conformance.cluster import Answer, ClaimRef, Cluster, Installation, Instance, Node, seen_within
from conformance.expect import Expect
from conformance.verdict import Inconclusive

NOTICED = 5.0  # seconds in which a driver notices that its watches have ended
RECOVERED = 30.0  # seconds for a driver that asks less and less often


@check(
    id="restart.api_server_away",
    covers=("OPS-03", "PREP-19", "RS-10", "UNP-04", "UNP-07"),
    needs=("restart.recovers", "publishing.republish"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_api_server_away(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """While the API server is away the driver keeps running and unprepares claims; afterwards it goes on as before."""
    name = driver.target.driver_name
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    with cluster.backend.api_faults(driver) as faults:
        before, instance = devices_of(cluster, node), driver.instances[-1]
        with faults.away():
            undone = unprepared(node, claim, instance, name)
            left = node.cdi.devices_for(claim.uid)
            delete_slices_on(cluster, node)
            seen_within(lambda: not instance.alive, NOTICED)
        running = "" if instance.alive else f"it ended with status {instance.exit_status}"
        expect("OPS-03").equal(running, "", "the driver keeps running while the API server is away")
        if instance.alive:
            expect("UNP-04").equal(undone and undone.error, "", "a claim is unprepared while the API server is away")
            expect("UNP-07").equal(left, [], "nothing is left of it")
        elif not driver.instances:
            driver.start(uid=instance.uid)
            trouble_until_ready(driver)
        back = seen_within(lambda: devices_of(cluster, node) >= before, time_to_return(driver.target))
        expect("RS-10").true(back, "slices that were deleted meanwhile are back")
        seen_within(lambda: not node.prepare(claim, driver=name).error, RECOVERED)
        answer = until_good(lambda: node.prepare(claim, driver=name))
        expect("PREP-19").equal(answer.error, "", "claims are prepared again once the API server is back")
        if not instance.alive:
            undone = until_good(lambda: node.unprepare(claim, driver=name))
            expect("UNP-04").equal(undone.error, "", "a claim is unprepared by the driver that was started anew")
            expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "nothing is left of it")


def unprepared(node: Node, claim: ClaimRef, instance: Instance, driver: str) -> Answer | None:
    """The answer to Unprepare; None from a driver that ended meanwhile. Raises Inconclusive where it is our fault."""
    try:
        return until_good(lambda: node.unprepare(claim, driver=driver))
    except Inconclusive:
        if not seen_within(lambda: not instance.alive, NOTICED):
            raise
        return None
