"""Old and new instance of a rolling update have sockets of their own."""

from conformance.check import Tier, check
from conformance.checks.registration.answering import SOON, unanswered
from conformance.cluster import Installation, Node, seen_within
from conformance.expect import Expect


@check(
    id="upgrade.sockets_per_instance",
    covers=("UPG-01", "REG-18"),
    needs=("registration.advertised_services", "publishing.pool_complete"),
    profile="rolling-update",
    features=("rolling-update",),
    tier=Tier.DISRUPT_DRIVER,
)
def test_sockets_per_instance(node: Node, driver: Installation, expect: Expect) -> None:
    """While both instances live both are registered with sockets of their own; the new one stays when the old ends."""
    name = driver.target.driver_name
    before = {r.socket for r in node.registrations(name)}
    with driver.roll_out() as (old, new):
        within = driver.target.ready_within
        both = seen_within(lambda: len(node.registrations(name)) == 2 and node.registrations(name), within)
        registered = both or node.registrations(name)
        expect("UPG-01").equal(len(registered), 2, "both instances are registered at the same time")
        expect("UPG-01").equal(len({r.socket for r in registered}), 2, "they have registration sockets of their own")
        expect("UPG-01").equal(len({r.endpoint for r in registered}), 2, "they have DRA sockets of their own")
        expect("UPG-01").true(old.alive and new.alive, "both keep running", (old.exit_status, new.exit_status))
        (mine,) = {r.socket for r in registered} - before
    alone = seen_within(lambda: len(node.registrations(name)) == 1 and node.registrations(name), SOON)
    left = [r.socket for r in alone or node.registrations(name)]
    expect("REG-18").contains(left, mine, "the old instance removes none of the new one's sockets")
    expect("REG-18").equal(unanswered(node, driver), "", "the new instance answers the kubelet")
