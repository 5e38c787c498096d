"""A claim may have several requests, and with them several devices."""

from conformance.check import check
from conformance.checks.preparation.twice import twice
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="preparation.several_devices",
    covers=("PREP-21", "UNP-10"),
    needs=("injection.two_claims", "unpreparing.cleans_up"),
    claims=2,
)
def test_several_devices(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim with the requests of two gets all its devices, and gives all of them back."""
    claim = twice(driver.target.claim_spec())
    pod = cluster.apply("one_pod.yaml", claim=claim).pod("user")
    answer = pod.wait_prepared("devices")
    expect("PREP-21").equal(answer.error, "", "a claim with several requests is prepared")
    expect("PREP-21").equal(node.cdi.unresolved(answer.cdi_ids), [], "its CDI ids are all in specs")
    pod.wait_running()
    prepared = pod.claim("devices")
    facts = [device.facts(prepared.uid) for device in prepared.devices(driver.target.driver_name)]
    if driver.target.driver.injection == "cdi":
        unmet = driver.target.container_expectation.unmet(facts, **node.container(pod.uid, "main").seen())
        expect("PREP-21").equal(unmet, [], "the container sees of each device what the driver file says")
    pod.delete()
    following = cluster.apply("one_pod.yaml", name="next", claim=claim).pod("next")
    expect("UNP-10").equal(following.wait_prepared("devices").error, "", "all of them can be prepared once more")
