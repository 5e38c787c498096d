"""A driver that was killed leaves its socket files behind; its next start must cope with them."""

from conformance.check import Tier, check
from conformance.checks.registration.answering import unanswered
from conformance.cluster import Installation, Node
from conformance.expect import Expect
from conformance.verdict import WaitTimeout


@check(
    id="registration.after_kill",
    covers=("REG-16",),
    needs=("registration.advertised_services", "publishing.pool_complete"),
    tier=Tier.DISRUPT_DRIVER,
)
def test_after_kill(node: Node, driver: Installation, expect: Expect) -> None:
    """Killed by SIGKILL and started again in the same pod, the driver registers again over its stale sockets."""
    name = driver.target.driver_name
    before = node.wait_registered(name)[-1]
    killed = driver.instances[-1]
    killed.kill()
    again = driver.start(uid=killed.uid)
    trouble = ""
    try:
        driver.wait_ready(timeout=driver.target.ready_within)
    except WaitTimeout as reason:
        trouble = str(reason)
    expect("REG-16").equal(trouble, "", f"it is ready again although {before.socket.name} was left behind")
    expect("REG-16").true(again.alive, "the restarted driver keeps running")
    expect("REG-16").equal(unanswered(node, driver), "", "it answers the kubelet again")
