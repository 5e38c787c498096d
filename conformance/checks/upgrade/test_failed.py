"""An update that is given up: the new version ends, the old one goes on."""

from conformance.check import Tier, check
from conformance.checks.publishing.kept import missing
from conformance.checks.publishing.together import SETTLED
from conformance.checks.upgrade.test_in_sequence import nodes_with_slices
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="upgrade.failed",
    covers=("REG-18", "UPG-02", "UPG-04"),
    needs=("upgrade.state_readable", "upgrade.sockets_per_instance", "injection.two_claims"),
    profile="rolling-update",
    features=("rolling-update",),
    tier=Tier.DISRUPT_DRIVER,
    claims=2,
)
def test_failed(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """When the new version ends soon after its start, the old one keeps serving, and loses nothing."""
    pod = cluster.apply("one_pod.yaml", name="old").pod("old").wait_running()
    prepared, name = pod.wait_prepared("devices"), driver.target.driver_name
    (mine,) = {registration.socket for registration in node.registrations(name)}
    published = nodes_with_slices(cluster)
    with driver.roll_out() as (_, new):
        node.wait_registered(name, count=2, timeout=driver.target.ready_within)
        new.terminate()
        left = [registration.socket for registration in node.registrations(name)]
        expect("REG-18").contains(left, mine, "the old version stays registered when the new one ends")
        taken = missing(published, lambda: nodes_with_slices(cluster), SETTLED)
        expect("UPG-04").equal(taken, [], "the slices stay when the new version ends")
        lost = node.cdi.unresolved(prepared.cdi_ids)
        expect("UPG-04").equal(lost, [], "CDI specs of running pods stay when the new version ends")
        later = cluster.apply("one_pod.yaml", name="later").pod("later")
        expect("UPG-02").equal(later.wait_prepared("devices").error, "", "the old version prepares the next claim")
        later.wait_running()
