"""The driver's pools are there, complete and consistent."""

from conformance.check import check
from conformance.checks.publishing.pool import Pool, pools_of
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.expect import Expect
from conformance.history import Event


@check(
    id="publishing.pool_complete",
    covers=("RS-01", "RS-02", "RS-03", "RS-05", "RS-08", "RS-16"),
    needs=("registration.registers",),
)
def test_pool_complete(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Every pool is complete: it has as many slices as each one states, with unique device names."""
    within = driver.target.ready_within
    published = seen_within(cluster.slices, within)
    refused = sorted({str(e["message"]) for e in cluster.history.events("request", _refused)})
    oversized = [message for message in refused if "spec.devices: Too many" in message]
    expect("RS-16").equal(oversized, [], "no slice has more devices than a slice may have")
    expect("RS-01").equal(refused, [], "the API server finds every slice of the driver valid")
    expect("RS-02").true(published, "slices with the driver's name are published", driver.instances[-1].log_tail(5))
    strange = set[str]()
    if driver.target.driver.scope == "node-local":
        strange = {str(item["spec"].get("nodeName", "")) for item in published} - {node.name}
    expect("RS-03").equal(strange, set(), "slices of node-local devices name the node that has them")
    pools = pools_of(published)
    if not all(pool.complete for pool in pools):
        pools = seen_within(lambda: complete_pools(cluster), within) or pools_of(cluster.slices())
    for pool in pools:
        expect("RS-05").equal(pool.counts, {len(pool.slices)}, f"pool {pool.name} has the slices that each one states")
        names = [device["name"] for device in pool.devices]
        twice = sorted({name for name in names if names.count(name) > 1})
        expect("RS-08").equal(twice, [], f"device names are unique in pool {pool.name}")


def complete_pools(cluster: Cluster) -> list[Pool]:
    """The driver's pools as they are now; [] while one is not complete, such as one that is being updated."""
    pools = pools_of(cluster.slices())
    return pools if all(pool.complete for pool in pools) else []


def _refused(event: Event) -> bool:
    writes = event["verb"] in ("create", "update", "patch")
    return writes and event["resource"] == "resourceslices" and event["code"] in (400, 422)
