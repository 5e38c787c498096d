"""Several pods of a node may use one claim, at the same time and one after the other."""

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import Claim, Cluster, Installation, Node, Pod
from conformance.expect import Expect
from conformance.verdict import NotApplicable

CONTAINERS = ("before", "one", "two")


@check(
    id="preparation.shared_claim",
    covers=("PREP-29",),
    needs=("preparation.repeat_same_devices", "unpreparing.cleans_up"),
    claims=1,
)
def test_shared_claim(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim that two pods use is prepared for both, also when the first of them is gone, and later for a third."""
    if not driver.target.file.claim.shareable:
        raise NotApplicable("the driver file says that only one pod may use a claim")
    claim = cluster.apply("unallocated.yaml", name="shared").claim("shared")
    first = user(cluster, "first")
    before = until_good(lambda: node.prepare(claim.ref))
    second = user(cluster, "second")
    both = until_good(lambda: node.prepare(claim.ref))
    expect("PREP-29").equal(both.error, "", "a claim that two pods use is prepared")
    expect("PREP-29").equal(both.devices, before.devices, "the second pod gets what the first one has")
    expect("PREP-29").equal(unmet(claim, first), [], "each container of the first pod sees the devices")
    expect("PREP-29").equal(unmet(claim, second), [], "each container of the second pod sees the devices")
    first.delete()
    after = until_good(lambda: node.prepare(claim.ref))
    expect("PREP-29").equal(after.error, "", "the claim stays prepared when the first of its pods is gone")
    expect("PREP-29").equal(node.cdi.unresolved(both.cdi_ids), [], "CDI devices stay while a pod uses them")
    second.delete()
    third = user(cluster, "third")
    expect("PREP-29").equal(unmet(claim, third), [], "a later pod sees the devices of the claim, too")


def user(cluster: Cluster, name: str, claim: str = "shared") -> Pod:
    """A running pod that uses the claim."""
    return cluster.apply("users.yaml", name=name, shared=claim).pod(name).wait_running()


def unmet(claim: Claim, pod: Pod) -> list[str]:
    """What containers of the pod do not see of the claim's devices; [] where the driver file does not say what."""
    target = claim.cluster.target
    if target.driver.injection != "cdi":
        return []
    facts = [device.facts(claim.uid) for device in claim.devices(target.driver_name)]
    seen = {name: pod.container(name).seen() for name in CONTAINERS}
    expected = target.container_expectation
    return [f"{name}: {text}" for name in CONTAINERS for text in expected.unmet(facts, **seen[name])]
