"""Only the UID tells claims apart: a name comes again."""

from contextlib import ExitStack

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.allocating import allocate, allocation_of, results_of, unallocated
from conformance.cluster import Claim, Cluster, Installation, Node, wait_for
from conformance.cluster.api import NotFound
from conformance.expect import Expect


@check(
    id="preparation.same_name",
    covers=("PREP-32",),
    needs=("injection.two_claims", "unpreparing.cleans_up"),
    claims=2,
)
def test_same_name(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim gets its own devices although one of the same name, which is deleted, was never unprepared."""
    pods = [cluster.apply("one_pod.yaml", name=name).pod(name) for name in ("one", "two")]
    earlier, later = (allocation_of(pod.wait_running().claim("devices")) for pod in pods)
    for pod in pods:
        pod.delete()
    with ExitStack() as ending:
        old = unallocated(cluster, "again")
        allocate(cluster, old, earlier)
        ending.callback(until_good, lambda: node.unprepare(old.ref))
        until_good(lambda: node.prepare(old.ref))
        old.delete()
        wait_for(lambda: is_gone(old), f"claim {old.name} to be gone", timeout=30)
        new = unallocated(cluster, "again")
        allocate(cluster, new, later)
        ending.callback(until_good, lambda: node.unprepare(new.ref))
        answer = until_good(lambda: node.prepare(new.ref))
        expect("PREP-32").equal(answer.error, "", "a claim is prepared although an older one had its name")
        named = {(device.pool_name, device.device_name) for device in answer.devices}
        own = {(result["pool"], result["device"]) for result in results_of(later, driver.target.driver_name)}
        expect("PREP-32").equal(sorted(named - own), [], "it gets its own devices, not those of the older one")
        until_good(lambda: node.unprepare(old.ref))
        expect("PREP-32").equal(
            node.cdi.unresolved(answer.cdi_ids), [], "Unprepare of the older one leaves its CDI devices alone"
        )


def is_gone(claim: Claim) -> bool:
    """Whether the API server has it no more."""
    try:
        claim.get()
    except NotFound:
        return True
    return False
