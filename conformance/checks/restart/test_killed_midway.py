"""A driver can be killed at any instant: out of memory, evicted, updated."""

import pytest

from conformance.chance import Chance
from conformance.check import Tier, check
from conformance.checks.restart.killing import Killing
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect

NEEDS = ("restart.recovers", "publishing.republish")


@check(
    id="restart.killed_midway",
    covers=("REG-16", "RS-09", "PREP-07", "PREP-08", "PREP-10", "UNP-05", "UNP-07"),
    needs=NEEDS,
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_killed_midway(cluster: Cluster, node: Node, driver: Installation, chance: Chance, expect: Expect) -> None:
    """Killed ten times in the middle of Prepare, Unprepare or publishing, the driver comes back and goes on."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    Killing(cluster, node, driver, pod, expect).rounds(10, chance)


@pytest.mark.timeout(1800)  # seconds; nodes take their time to start a container
@check(
    id="restart.killed_often",
    covers=("REG-16", "RS-09", "PREP-07", "PREP-08", "PREP-10", "UNP-05", "UNP-07"),
    needs=NEEDS,
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_killed_often(cluster: Cluster, node: Node, driver: Installation, chance: Chance, expect: Expect) -> None:
    """Killed a hundred times in the middle of what it does, the driver comes back and goes on each time."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    Killing(cluster, node, driver, pod, expect).rounds(100, chance)
