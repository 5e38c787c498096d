"""State on disk that a driver cannot read, or that is older than what it has done since."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.checks.restart.comeback import trouble_until_ready
from conformance.checks.restart.damage import DAMAGES, damage, put_back, read
from conformance.cluster import ClaimRef, Cluster, Installation, Instance, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="restart.broken_state",
    covers=("OPS-03", "PREP-07", "PREP-08", "UNP-05", "UNP-07"),
    needs=("restart.recovers",),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_broken_state(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Over state that is damaged or too old the driver ends with an error, or it goes on and does what it says."""
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    until_good(lambda: node.unprepare(claim))
    older = read(driver.state_dir)
    until_good(lambda: node.prepare(claim))
    newest = read(driver.state_dir)
    if not newest:
        raise NotApplicable(f"the driver keeps no files in {driver.state_dir}")
    for what, how in DAMAGES.items():
        stop(driver)
        damage(newest, how)
        go_on(node, driver, claim, f"with state files that are {what}", expect)
        stop(driver)
        put_back(driver.state_dir, newest)
    put_back(driver.state_dir, older)
    go_on(node, driver, claim, "with the state of before the claim was prepared", expect)
    stop(driver)
    put_back(driver.state_dir, newest)
    driver.start()
    expect("PREP-07").equal(trouble_until_ready(driver), "", "with its state put back, the driver starts again")
    answer = until_good(lambda: node.prepare(claim))
    expect("PREP-07").equal(answer.error, "", "with its state put back, it prepares the claim again")
    expect("PREP-08").equal(node.cdi.unresolved(answer.cdi_ids), [], "every CDI id of the answer is in a spec")
    undone = until_good(lambda: node.unprepare(claim))
    expect("UNP-05").equal(undone.error, "", "with its state put back, it unprepares the claim")
    expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "nothing of the claim is left then")


def stop(driver: Installation) -> None:
    """Kill the driver."""
    for instance in driver.instances:
        instance.kill()


def go_on(node: Node, driver: Installation, claim: ClaimRef, when: str, expect: Expect) -> None:
    """Start it, and judge that it either says what it cannot do, or does it."""
    instance = driver.start()
    trouble = trouble_until_ready(driver)
    well = bool(trouble) and ended_well(instance)
    expect("OPS-03").true(not well, f"{when}, a driver that does not start ends with another status than 0", trouble)
    if trouble:
        return
    answer = until_good(lambda: node.prepare(claim))
    lost = [] if answer.error else node.cdi.unresolved(answer.cdi_ids)
    expect("PREP-08").equal(lost, [], f"{when}, a claim that it says is prepared has its CDI specs")
    undone = until_good(lambda: node.unprepare(claim))
    if answer.error or undone.error:  # it has said that it cannot
        return
    expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], f"{when}, nothing of the claim is left then")


def ended_well(instance: Instance) -> bool:
    """Whether it ended as if all were well: nobody sees that it has not started, and perhaps nobody starts it again."""
    return not instance.alive and instance.exit_status == 0
