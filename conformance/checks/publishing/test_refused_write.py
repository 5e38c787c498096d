"""A write that the API server refuses is made again later."""

from conformance.check import Tier, check
from conformance.checks.publishing.kept import pools_at
from conformance.checks.publishing.test_republish import delete_slices_on
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect
from conformance.history import Event
from conformance.verdict import Inconclusive, NotApplicable

AGAIN = 20.0  # seconds; drivers wait longer and longer between their tries


@check(
    id="publishing.refused_write",
    covers=("RS-07",),
    needs=("publishing.node_owner", "registration.after_kill"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
)
def test_refused_write(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A driver that was refused to publish when it started publishes soon after it may."""
    before = pools_at(cluster, node)
    if not before:
        raise NotApplicable("the driver publishes no slices of its node")
    with cluster.backend.refuse_writes("resourceslices"):
        since = len(cluster.history)
        victim = driver.instances[-1]
        victim.kill()
        delete_slices_on(cluster, node)
        driver.start(uid=victim.uid)
        if not cluster.history.wait("request", refused, since=since, timeout=driver.target.ready_within):
            raise Inconclusive("the driver was not seen to write slices while it was not allowed to")
    if not driver.instances:  # a kubelet starts it again and again
        driver.start(uid=victim.uid)
    missing = seen_within(lambda: before <= pools_at(cluster, node), AGAIN) or sorted(before - pools_at(cluster, node))
    expect("RS-07").true(missing is True, f"its pools are there within {AGAIN:g} s after it may write again", missing)


def refused(event: Event) -> bool:
    """Whether the API server refused somebody to write slices, or failed to do so."""
    return (
        event["resource"] == "resourceslices"
        and event["verb"] in ("create", "update", "patch")
        and event["code"] >= 400
    )
