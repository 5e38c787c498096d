"""A claim with a bad configuration costs no other claim of the call its result."""

from conformance.check import check
from conformance.checks.preparation.refused import invalid_configs, wait_refused
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="preparation.bad_beside_good",
    covers=("PREP-03",),
    needs=("preparation.batch", "preparation.invalid_config"),
    claims=2,
)
def test_bad_beside_good(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """In a call with a good claim and one with an invalid configuration, only the entry of the latter has an error."""
    config = invalid_configs(driver)[0]
    good = cluster.apply("one_pod.yaml", name="good").pod("good").wait_running().claim("devices").ref
    claim = driver.target.claim_spec(parameters=config.parameters)
    pod = cluster.apply("one_pod.yaml", name="bad", claim=claim).pod("bad")
    wait_refused(node, pod)
    bad = pod.claim("devices").ref
    both = node.prepare(good, bad)
    expect("PREP-03").equal((both.code, both.entry(good).error), ("OK", ""), "the good claim has its result")
    expect("PREP-03").true(both.entry(bad).error, "the bad claim has an error in its entry", both.entry(bad))
