"""Slices are published although the API server refuses some writes, or its answer to one is lost."""

from collections import Counter
from collections.abc import Callable

from conformance.check import Tier, check
from conformance.checks.publishing.kept import devices_of, missing, time_to_return
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.test_republish import delete_slices_on
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.cluster.apirules import Refusal, Rule
from conformance.expect import Expect
from conformance.verdict import NotApplicable

SLICES = "/resourceslices"
WRITES = ("POST", "PUT", "PATCH")
TRIES_AGAIN = 2.0  # seconds in which a driver that has got no answer to a write makes it again
PUTS_RIGHT = 10.0  # seconds for it to notice that the first one went through


def rules() -> dict[str, Rule]:
    """What goes wrong when slices are written, in words and as a rule."""
    return {
        "answered 500 three times": Rule(WRITES, SLICES, times=3, refusal=Refusal(500)),
        "answered 429 twice": Rule(WRITES, SLICES, times=2, refusal=Refusal(429, retry_after=1)),
        "lost the answer to a write": Rule(WRITES, SLICES, times=1, lose_answer=True),
    }


@check(
    id="publishing.api_errors",
    covers=("RS-07", "RS-08", "RS-09", "RS-10"),
    needs=("publishing.republish",),
    profile="hardening",
    tier=Tier.DISRUPT_NODE,
)
def test_api_errors(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """After errors of the API server, slices that were deleted are back, once each, and their pools are complete."""
    within = time_to_return(driver.target)
    with cluster.backend.api_faults(driver) as faults:
        before = devices_of(cluster, node)
        if not before:
            raise NotApplicable("the driver has no slices that name the node")
        for trouble, rule in rules().items():
            with faults.rule(rule):
                delete_slices_on(cluster, node)
                seen_within(lambda: devices_of(cluster, node) >= before, within)
            seen_within(lambda: twice(cluster, node), TRIES_AGAIN)
            back = seen_within(lambda: cluster.slices_of(node), PUTS_RIGHT)
            expect("RS-10").true(back, f"its slices are back after the API server {trouble}", rule.used)
            # A driver may replace its slices at any time: what counts is what does not pass.
            doubled, partial = lasting(lambda: twice(cluster, node)), lasting(lambda: untidy(cluster, node))
            lost = missing(before, lambda: devices_of(cluster, node), PUTS_RIGHT)
            expect("RS-08").equal(doubled, [], f"no device is there twice after the API server {trouble}")
            expect("RS-07").equal(partial, [], f"all pools are complete after the API server {trouble}")
            expect("RS-09").equal(lost, [], f"the same devices are back after the API server {trouble}")


def lasting(wrong: Callable[[], list[str]]) -> list[str]:
    """What is wrong all the time; [] when nothing was at any one time."""
    return wrong() if not seen_within(lambda: not wrong(), PUTS_RIGHT) else []


def twice(cluster: Cluster, node: Node) -> list[str]:
    """Names of devices that stand more than once in a pool of the node."""
    pools = pools_of(cluster.slices_of(node))
    counted = [(pool.name, Counter(str(device["name"]) for device in pool.devices)) for pool in pools]
    return [f"{pool}/{name}" for pool, names in counted for name, times in names.items() if times > 1]


def untidy(cluster: Cluster, node: Node) -> list[str]:
    """Names of the node's pools that are not complete."""
    return [pool.name for pool in pools_of(cluster.slices_of(node)) if not pool.complete]
