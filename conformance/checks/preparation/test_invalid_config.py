"""Opaque parameters that make no sense fail the claim, with a reason."""

from functools import partial

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.refused import invalid_configs, wait_refused
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="preparation.invalid_config",
    covers=("PREP-24", "OPS-02", "UNP-06"),
    needs=("injection.specs_resolve", "unpreparing.unknown_claim"),
    claims=1,
)
def test_invalid_config(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Each invalid configuration of the driver file is refused with a reason, and can be unprepared."""
    for number, config in enumerate(invalid_configs(driver)):
        name = f"user-{number}"
        claim = driver.target.claim_spec(parameters=config.parameters)
        pod = cluster.apply("one_pod.yaml", name=name, claim=claim).pod(name)
        answer = wait_refused(node, pod)
        expect("PREP-24").true(
            answer.error, f"{config.parameters} is refused{config.why and f' ({config.why})'}", "it was prepared"
        )
        expect("OPS-02").at_least(len(answer.error), 12, "the error says what is wrong")
        undone = until_good(partial(node.unprepare, pod.claim("devices").ref))
        expect("UNP-06").equal(undone.error, "", "Unprepare after the failed Prepare succeeds")
        pod.delete()
