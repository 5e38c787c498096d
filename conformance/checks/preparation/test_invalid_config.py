"""Opaque parameters that make no sense fail the claim, with a reason."""

from functools import partial

from conformance.check import check
from conformance.checks.again import prepared, until_good
from conformance.checks.preparation.refused import invalid_configs, wait_refused
from conformance.cluster import Cluster, Installation, Node, Pod
from conformance.expect import Expect


@check(
    id="preparation.invalid_config",
    covers=("PREP-24", "OPS-02", "UNP-06"),
    needs=("injection.specs_resolve", "unpreparing.unknown_claim"),
    claims=1,
)
def test_invalid_config(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """Each invalid configuration of the driver file is refused with a reason, and costs no later claim its device."""
    had: set[str] = set()
    for number, config in enumerate(invalid_configs(driver)):
        name = f"user-{number}"
        claim = driver.target.claim_spec(parameters=config.parameters)
        pod = cluster.apply("one_pod.yaml", name=name, claim=claim).pod(name)
        answer = wait_refused(node, pod)
        expect("PREP-24").true(
            answer.error, f"{config.parameters} is refused{config.why and f' ({config.why})'}", "it was prepared"
        )
        expect("OPS-02").at_least(len(answer.error), 12, "the error says what is wrong")
        had |= devices_of(pod)
        undone = until_good(partial(node.unprepare, pod.claim("devices").ref))
        expect("UNP-06").equal(undone.error, "", "Unprepare after the failed Prepare succeeds")
        pod.delete()
    following = cluster.apply("one_pod.yaml", name="following").pod("following")
    answer = prepared(node, following)
    if again := ", ".join(sorted(had & devices_of(following))):
        expect("UNP-06").equal(answer.error, "", f"{again}, which a claim had that failed, is prepared for the next")


def devices_of(pod: Pod) -> set[str]:
    """The driver's devices that a pod's claim is allocated, as pool/device."""
    return {f"{row.pool}/{row.device}" for row in pod.claim("devices").devices(pod.cluster.target.driver_name)}
