"""A registration connection that breaks off is no reason to give up."""

from contextlib import suppress

from conformance.check import check
from conformance.checks.registration.answering import unanswered
from conformance.cluster import Installation, Node, seen_within
from conformance.cluster.kubelet.sockets import connected
from conformance.expect import Expect

MOMENT = 0.5  # seconds in which a driver that gives up would end


@check(
    id="registration.dropped_connection",
    covers=("REG-15", "REG-20"),
    needs=("registration.advertised_services", "publishing.pool_complete"),
)
def test_dropped_connection(node: Node, driver: Installation, expect: Expect) -> None:
    """After registration connections that break off, the driver still answers on the same socket."""
    registration = node.wait_registered(driver.target.driver_name)[-1]
    instance = driver.instances[-1]
    with suppress(OSError):  # refused when an earlier one was the end of the driver
        for _ in range(3):
            with connected(registration.socket):
                pass  # closed again without a word, as by a kubelet that is being stopped
    seen_within(lambda: not instance.alive, MOMENT)
    info = node.get_info(registration.socket)
    alive = "" if instance.alive else f"it ended with status {instance.exit_status}"
    expect("REG-15").equal(info.error or alive, "", "the registration socket can be used again")
    expect("REG-20").equal(unanswered(node, driver), "", "the DRA service goes on answering")
