"""Containers see the devices of their claims."""

from conformance.check import check
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="injection.container_sees",
    covers=("PREP-21",),
    needs=("injection.specs_resolve",),
    claims=1,
)
def test_container_sees(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A container that uses a claim sees, for each device of the claim, what the driver file says."""
    expected = driver.target.container_expectation
    if driver.target.driver.injection != "cdi":
        raise NotApplicable(f"devices get into containers by {driver.target.driver.injection}, not CDI")
    if not expected:
        raise NotApplicable("the driver file does not say what a container sees")
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices")
    facts = [device.facts(claim.uid) for device in claim.devices(driver.target.driver_name)]
    unmet = expected.unmet(facts, **node.container(pod.uid, "main").seen())
    expect("PREP-21").equal(unmet, [], "the container sees of each device what the driver file says")
