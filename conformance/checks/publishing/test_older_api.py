"""Clusters that do not serve resource.k8s.io/v1 yet."""

from conformance.check import Tier, check
from conformance.checks.publishing.kept import pools_at
from conformance.checks.publishing.older_api import without_v1
from conformance.checks.publishing.test_refused_write import AGAIN
from conformance.checks.publishing.test_republish import delete_slices_on
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="publishing.older_api",
    covers=("RS-29",),
    needs=("publishing.node_owner", "preparation.one_claim", "registration.after_kill"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_older_api(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Where older versions of resource.k8s.io are served only, the driver publishes and prepares with them."""
    before = pools_at(cluster, node)
    if not before:
        raise NotApplicable("the driver publishes no slices of its node")
    with cluster.backend.api_faults(driver) as faults, without_v1(faults):
        victim = driver.instances[-1]
        victim.kill()
        delete_slices_on(cluster, node)
        driver.start(uid=victim.uid)
        there = seen_within(lambda: before <= pools_at(cluster, node), max(AGAIN, driver.target.ready_within))
        if expect("RS-29").true(there, "the driver publishes its pools in an older version of the API"):
            answer = cluster.apply("one_pod.yaml").pod("user").wait_prepared("devices")
            expect("RS-29").equal(answer.error, "", "the driver reads claims in an older version of the API")
