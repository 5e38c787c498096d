"""The scheduler takes the first alternative that it can satisfy; the kubelet knows containers by the request alone."""

from conformance.check import check
from conformance.checks.alternatives.choice import REQUEST, alternatives
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="alternatives.chosen",
    covers=("PREP-10", "PREP-11", "PREP-21"),
    needs=("preparation.one_claim",),
    profile="prioritized-list",
    features=("prioritized-list",),
    claims=1,
)
def test_chosen(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim with alternatives is prepared for the one that was chosen, under the name of the request."""
    pod = cluster.apply("one_pod.yaml", claim=alternatives(cluster)).pod("user")
    answer = pod.wait_prepared("devices")
    claim = pod.claim("devices")
    rows = claim.devices(driver.target.driver_name)
    devices = ", ".join(row.device for row in rows)
    expect("PREP-10").equal(answer.error, "", f"{devices}, allocated by an alternative, is prepared")
    names = sorted({name for device in answer.devices for name in device.request_names})
    wrong = [name for name in names if name != REQUEST]
    expect("PREP-11").equal(wrong, [], f"request names are {REQUEST}, without the alternative")
    pod.wait_running()
    if driver.target.driver.injection == "cdi":
        facts = [row.facts(claim.uid) for row in rows]
        unmet = driver.target.container_expectation.unmet(facts, **node.container(pod.uid, "main").seen())
        expect("PREP-21").equal(unmet, [], "the container sees of the device what the driver file says")
    else:
        expect("PREP-21").true(pod.phase == "Running", "the pod runs")
