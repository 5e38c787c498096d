"""The node's disk is full."""

from contextlib import ExitStack

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.restart.comeback import trouble_after_restart, trouble_until_ready
from conformance.cluster import ClaimRef, Cluster, Installation, Node
from conformance.cluster.smalldisk import full, small_disk
from conformance.expect import Expect
from conformance.verdict import Inconclusive, NotApplicable

KIBIBYTES = 256


@check(
    id="restart.disk_full",
    covers=("PREP-08", "PREP-19", "UNP-06", "UNP-07"),
    needs=("restart.recovers",),
    profile="hardening",
    tier=Tier.DISRUPT_NODE,
    claims=1,
)
def test_disk_full(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """With the disk full that its state is on, the driver says no more than it has done; afterwards it does it all."""
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    until_good(lambda: node.unprepare(claim))
    with ExitStack() as mounts:
        with driver.away():
            mounts.enter_context(small_disk(driver.state_dir, KIBIBYTES))
        if trouble := trouble_until_ready(driver):
            raise NotApplicable(f"the driver does not start with {KIBIBYTES} KiB of disk: {trouble}")
        with full(driver.state_dir):
            answer = node.prepare(claim)
            lost = [] if answer.error else node.cdi.unresolved(answer.cdi_ids)
            undone = until_good(lambda: node.unprepare(claim))
            left = [] if undone.error else node.cdi.devices_for(claim.uid)
        judge_full(expect, lost, left)
        judge_after(node, driver, claim, expect)
        for instance in driver.instances:
            instance.kill()
    driver.start()
    if trouble := trouble_until_ready(driver):
        raise Inconclusive(f"the driver does not start on its own disk again: {trouble}")


def judge_full(expect: Expect, lost: list[str], left: list[str]) -> None:
    """What it has said while the disk was full."""
    expect("PREP-08").equal(lost, [], "with a full disk, a claim that it says is prepared has its CDI specs")
    expect("UNP-07").equal(left, [], "with a full disk, nothing is left of a claim that it says is unprepared")


def judge_after(node: Node, driver: Installation, claim: ClaimRef, expect: Expect) -> None:
    """What it does once there is room again."""
    undone = until_good(lambda: node.unprepare(claim))
    expect("UNP-06").equal(undone.error, "", "once there is room, Unprepare after the failed Prepare succeeds")
    expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "nothing of the claim is left then")
    answer = until_good(lambda: node.prepare(claim))
    expect("PREP-19").equal(answer.error, "", "once there is room, the claim is prepared")
    expect("PREP-08").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id of the answer is in a spec")
    expect("PREP-19").equal(trouble_after_restart(driver), "", "the driver starts over what the full disk has left")
    again = until_good(lambda: node.prepare(claim))
    expect("PREP-19").equal(again.error, "", "it then prepares the claim again")
    until_good(lambda: node.unprepare(claim))
