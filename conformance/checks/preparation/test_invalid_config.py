"""Opaque parameters that make no sense fail the claim, and only that claim."""

from conformance.check import check
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="preparation.invalid_config",
    covers=("PREP-24", "OPS-02", "UNP-06"),
    needs=("injection.specs_resolve", "unpreparing.unknown_claim"),
    claims=1,
)
def test_invalid_config(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Each invalid configuration of the driver file is refused with a reason, and can be unprepared."""
    configs = driver.target.file.claim.configs.invalid
    if not configs:
        raise NotApplicable("the driver file names no invalid opaque configuration")
    for number, config in enumerate(configs):
        name = f"user-{number}"
        claim = driver.target.claim_spec(parameters=config.parameters)
        pod = cluster.apply("one_pod.yaml", name=name, claim=claim).pod(name)
        answer = pod.wait_prepared("devices")
        expect("PREP-24").true(
            answer.error, f"{config.parameters} is refused{config.why and f' ({config.why})'}", "it was prepared"
        )
        expect("OPS-02").at_least(len(answer.error), 12, "the error says what is wrong")
        undone = node.unprepare(pod.claim("devices").ref)
        expect("UNP-06").equal(undone.error, "", "Unprepare after the failed Prepare succeeds")
        pod.delete()
