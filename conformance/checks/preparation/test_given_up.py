"""A call that hangs, as the API server does not answer, is not to hold up the one that comes after it."""

from functools import partial

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.deadline import missed
from conformance.cluster import ClaimRef, Cluster, Installation, Node
from conformance.cluster.apirules import Rule
from conformance.expect import Expect

DEADLINE = 45.0  # seconds; the kubelet's
GIVEN_UP_AFTER = 2.0
HANGS = 3 * DEADLINE


@check(
    id="preparation.given_up",
    covers=("PREP-17", "PREP-18"),
    needs=("preparation.repeat_same_devices", "unpreparing.cleans_up"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_given_up(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """While a call hangs that the kubelet has given up, the next one for the claim ends in time, and well."""
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


def is_late(node: Node, claim: ClaimRef) -> bool:
    """Whether a call passes the kubelet's deadline."""
    return node.prepare(claim, timeout=DEADLINE).code == "DEADLINE_EXCEEDED"
