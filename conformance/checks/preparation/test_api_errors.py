"""The API server refuses now and then, or its answer is lost; that passes."""

from functools import partial

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.cluster import ClaimRef, Cluster, Installation, Node
from conformance.cluster.apirules import Refusal, Rule
from conformance.expect import Expect

AT_WORK = 1.0  # seconds that a slow API server takes to answer


def rules(claim: ClaimRef) -> dict[str, Rule]:
    """What can go wrong when the claim is read, in words and as a rule."""
    path = f"/resourceclaims/{claim.name}"
    return {
        "answers 500": Rule(path=path, refusal=Refusal(500)),
        "answers 429": Rule(path=path, refusal=Refusal(429, retry_after=1)),
        "answers 503": Rule(path=path, refusal=Refusal(503)),
        "closes the connection": Rule(path=path, lose_request=True),
        "is slow": Rule(path=path, delay=AT_WORK),
    }


@check(
    id="preparation.api_errors",
    covers=("PREP-08", "PREP-19", "UNP-04", "UNP-07"),
    needs=("injection.specs_resolve", "unpreparing.cleans_up"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_api_errors(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """While the API server refuses or is slow, claims are unprepared; once that is over they are prepared again."""
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    with cluster.backend.api_faults(driver) as faults:
        for trouble, rule in rules(claim).items():
            until_good(partial(node.unprepare, claim))
            with faults.rule(rule):
                answer = node.prepare(claim)
            lost = [] if answer.error else node.cdi.unresolved(answer.cdi_ids)
            expect("PREP-08").equal(lost, [], f"what is prepared while the API server {trouble} has its CDI specs")
            again = until_good(partial(node.prepare, claim))
            expect("PREP-19").equal(again.error, "", f"the claim is prepared once the API server {trouble} no more")
            expect("PREP-08").equal(node.cdi.unresolved(again.cdi_ids), [], "every CDI id of the answer is in a spec")
            with faults.rule(rule):
                undone = until_good(partial(node.unprepare, claim))
            expect("UNP-04").equal(undone.error, "", f"it is unprepared while the API server {trouble}")
            expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "nothing of the claim is left")
