"""A call that waits for the API server, until the kubelet gives it up, is not to harm the ones that come after it."""

from collections.abc import Sequence
from functools import partial

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.deadline import DEADLINE, missed
from conformance.cluster import ApiFaults, ClaimRef, Cluster, Installation, Node, seen_within
from conformance.cluster.apirules import Rule
from conformance.expect import Expect

GIVEN_UP_AFTER = 2.0  # seconds
HANGS = 3 * DEADLINE
SLOW = 0.3  # seconds that the API server takes, longer than the caller waits
LATE = 2.0  # seconds in which a driver that goes on by itself has done so


@check(
    id="preparation.given_up",
    covers=("PREP-17", "PREP-18"),
    needs=("preparation.repeat_same_devices", "unpreparing.cleans_up"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_given_up(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """While a call hangs that the kubelet has given up, the next ones end in time and well, and nothing comes of it."""
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    until_good(lambda: node.unprepare(claim))
    with cluster.backend.api_faults(driver) as faults:
        with faults.rule(Rule(path=f"/resourceclaims/{claim.name}", delay=HANGS)):
            node.prepare(claim, timeout=GIVEN_UP_AFTER)
        late = missed(cluster.backend, DEADLINE, partial(is_late, node, claim))
        expect("PREP-17").true(not late, f"calls after one that hangs end within {DEADLINE:g} s", "three did not")
        answer = until_good(lambda: node.prepare(claim))
        expect("PREP-18").equal(answer.error, "", "the claim is prepared after a call that was given up")
        expect("PREP-18").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id of the answer is in a spec")
        left = left_behind(node, claim, faults)
        expect("PREP-18").equal(left, [], "nothing comes of a call that was given up once the claim was unprepared")


def left_behind(node: Node, claim: ClaimRef, faults: ApiFaults) -> Sequence[str]:
    """CDI devices that come, and stay, when a call was given up and the claim unprepared before the claim was read."""
    until_good(lambda: node.unprepare(claim))
    with faults.rule(Rule(path=f"/resourceclaims/{claim.name}", delay=SLOW)):
        node.prepare(claim, timeout=SLOW / 3)
        until_good(lambda: node.unprepare(claim))
        seen_within(lambda: node.cdi.devices_for(claim.uid), LATE)
    seen_within(lambda: not node.cdi.devices_for(claim.uid), LATE)
    return node.cdi.devices_for(claim.uid)


def is_late(node: Node, claim: ClaimRef) -> bool:
    """Whether a call passes the kubelet's deadline."""
    return node.prepare(claim, timeout=DEADLINE).code == "DEADLINE_EXCEEDED"
