"""Shares use up a device: what they have of it is theirs, and there is no more."""

from typing import Any

from conformance.check import check
from conformance.checks.offered import claim_for, run_pod, wait_looked_at
from conformance.checks.shares.shareable import published_capacity, shareable, shares_of
from conformance.cluster import Cluster, Installation, Node, Pod
from conformance.expect import Expect
from conformance.target.expectation import env_unmet
from conformance.verdict import NotApplicable


@check(
    id="shares.capacity",
    covers=("PREP-27", "RS-27"),
    needs=("shares.two_claims",),
    profile="consumable-capacity",
    features=("consumable-capacity",),
)
def test_capacity(cluster: Cluster, expect: Expect) -> None:
    """Two halves use a device up: a third claim waits, is prepared once a half is free, and the policy stays."""
    offer = next((offer for offer in shareable(cluster) if offer.rows[0][1].get("capacity")), None)
    if offer is None:
        raise NotApplicable("devices for several claims have no capacity that could be used up")
    before, device = published_capacity(cluster, offer), offer.rows[0][1]["name"]
    first = run_pod(cluster, "first", offer)
    run_pod(cluster, "second", offer)
    third = cluster.apply("one_pod.yaml", name="third", claim=claim_for(cluster, offer)).pod("third")
    wait_looked_at(third)
    stays = f"capacities and policies of {device} stay while claims share it"
    expect("RS-27").equal(published_capacity(cluster, offer), before, stays)
    first.delete()
    answer = third.wait_prepared("devices")
    expect("PREP-27").equal(answer.error, "", f"a share of {device} is prepared where another one has been")


@check(
    id="shares.amount",
    covers=("PREP-28",),
    needs=("shares.two_claims",),
    profile="consumable-capacity",
    features=("consumable-capacity",),
)
def test_amount(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A container is told how much of the device its share is."""
    patterns = driver.target.file.container.capacity
    if not patterns or driver.target.driver.injection != "cdi":
        raise NotApplicable("the driver file does not say how a container sees the amount of its share")
    for number, offer in enumerate(shareable(cluster)):
        pod = run_pod(cluster, f"user-{number}", offer)
        expect("PREP-28").equal(unmet(pod, node, patterns), [], "the container sees how much it may use")


def unmet(pod: Pod, node: Node, patterns: dict[str, dict[str, str]]) -> list[str]:
    """What the driver file says of the amounts of a pod's share and its container does not see, as NAME=VALUE."""
    driver, claim, env = pod.cluster.target.driver_name, pod.claim("devices"), node.container(pod.uid, "main").env
    missing: list[str] = []
    for result in shares_of(claim, driver).values():
        facts = {row.device: row for row in claim.devices(driver)}[result["device"]].facts(claim.uid)
        consumed: dict[str, Any] = result.get("consumedCapacity") or {}
        for name in patterns.keys() & consumed.keys():
            missing += env_unmet(patterns[name], env, {**facts, "amount": str(consumed[name])})
    return missing
