"""A kubelet that refuses a driver tells it so, and tries again later."""

from conformance.check import Tier, check
from conformance.checks.registration.answering import unanswered
from conformance.cluster import Installation, Node, seen_within
from conformance.expect import Expect

MOMENT = 0.3  # seconds in which a driver that gives up would end
WHY = "told by the conformance suite: the registration is tried again"


@check(
    id="registration.refused",
    covers=("REG-13",),
    needs=("registration.dropped_connection",),
    tier=Tier.DISRUPT_DRIVER,
)
def test_refused(node: Node, driver: Installation, expect: Expect) -> None:
    """Told that its registration failed, the driver can be registered through the same socket all the same."""
    registration = node.wait_registered(driver.target.driver_name)[-1]
    instance = driver.instances[-1]
    node.notify(registration.socket, refused=WHY)  # the helper for Go answers with an error, which is fine
    seen_within(lambda: not instance.alive, MOMENT)
    seen_within(lambda: not node.get_info(registration.socket).error, driver.target.ready_within)
    expect("REG-13").equal(node.get_info(registration.socket).error, "", "the registration socket can be used again")
    expect("REG-13").equal(unanswered(node, driver), "", "the DRA service goes on answering")
    expect("REG-13").equal(node.notify(registration.socket), "", "it takes note that it is registered after all")
