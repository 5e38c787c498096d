"""A reboot empties the CDI folder while the driver's state stays on disk."""

from conformance.check import Tier, check
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect
from conformance.verdict import Inconclusive


@check(
    id="restart.reboot",
    covers=("PREP-07", "PREP-08"),
    needs=("registration.after_kill", "preparation.repeat_same_devices"),
    tier=Tier.DISRUPT_NODE,
    claims=1,
)
def test_reboot(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """After a reboot the pod's claim is prepared anew, and its CDI specs are really written again."""
    cluster.need_calls()
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices")
    start = len(cluster.history)
    node.reboot(driver)
    name = driver.target.driver_name
    registered = bool(seen_within(lambda: node.registrations(name), driver.target.ready_within))
    _require_noticed(node, driver, registered, driver.trouble())
    expect("PREP-07").true(registered, "the driver starts over what it had prepared", driver.trouble())
    answer = cluster.wait_answer("NodePrepareResources", claim.uid, since=start)
    lost = node.cdi.unresolved(answer.cdi_ids)
    _require_noticed(node, driver, not answer.error and not lost, answer.error or f"nothing defines {lost}")
    expect("PREP-07").equal(answer.error, "", "the claim is prepared again after the reboot")
    expect("PREP-08").equal(lost, [], "every CDI id of the answer is in a spec again")
    pod.wait_running()


def _require_noticed(node: Node, driver: Installation, good: bool, trouble: str) -> None:
    """Blame no driver that may take the reboot for a restart of its own, as it was shown the boot id of before."""
    if good or (node.changes_boot_id and driver.target.reads_boot_id):
        return
    hint = "; hand it {boot_id_file} if it does" if node.changes_boot_id else ""
    raise Inconclusive(f"a driver that reads the machine's boot id could not notice the reboot{hint}: {trouble}")
