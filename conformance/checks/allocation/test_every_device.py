"""Whatever is published can be used: each device is claimed and prepared once."""

from conformance.check import check
from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect

MOST = 16  # claims held at once; more devices would only cost time


@check(
    id="allocation.every_device",
    covers=("RS-13", "PREP-30"),
    needs=("allocation.class_selectors", "injection.two_claims"),
    claims=2,
)
def test_every_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """As many claims as the node holds at once are all allocated different devices and prepared without an error."""
    devices = sum(len(pool.devices) for pool in pools_of(cluster.slices()))
    many = min(driver.target.claims_per_node, MOST, devices)
    pods = [cluster.apply("one_pod.yaml", name=f"user-{i}").pod(f"user-{i}") for i in range(many)]
    for pod in pods:
        answer = pod.wait_prepared("devices")
        allocated = pod.claim("devices").devices(driver.target.driver_name)
        names = [row.device for row in allocated]
        expect("RS-13").equal(answer.error, "", f"what is published as {', '.join(names)} can be prepared")
    running = [pod.wait_running().phase for pod in pods]
    expect("PREP-30").equal(running, ["Running"] * many, "all pods run side by side")
