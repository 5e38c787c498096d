"""Partitions of one device: what one uses, another cannot have."""

from conformance.check import check
from conformance.checks.offered import claim_for, run_pod, wait_looked_at
from conformance.checks.partitions.rivals import rivals, uses_of
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect


@check(
    id="partitions.exclude_each_other",
    covers=("RS-35", "RS-13", "PREP-10"),
    needs=("partitions.counters", "preparation.one_claim"),
    profile="partitionable",
    features=("partitionable",),
)
def test_exclude_each_other(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A partition takes its counters while it is used: a pod for more waits, and is prepared once they are free."""
    smaller, larger = rivals(cluster)
    before = uses_of(cluster, smaller)
    first = run_pod(cluster, "first", smaller)
    second = cluster.apply("one_pod.yaml", name="second", claim=claim_for(cluster, larger)).pod("second")
    wait_looked_at(second)
    stays = f"{smaller.rows[0][1]['name']} stays published with the counters that it uses while it is allocated"
    expect("RS-35").equal(uses_of(cluster, smaller), before, stays)
    first.delete()
    answer = second.wait_prepared("devices")
    name = larger.rows[0][1]["name"]
    expect("RS-13").equal(answer.error, "", f"what is published as {name} can be prepared once its counters are free")
    allocated = {(row.pool, row.device) for row in second.claim("devices").devices(driver.target.driver_name)}
    others = sorted({(device.pool_name, device.device_name) for device in answer.devices} - allocated)
    expect("PREP-10").equal(others, [], f"the answer names no device but {sorted(allocated)}, which was allocated")
