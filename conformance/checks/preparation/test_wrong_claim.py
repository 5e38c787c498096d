"""Prepare is refused for claims that are gone, replaced or not allocated."""

from uuid import uuid4

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.preparation.allocating import unallocated
from conformance.cluster import ClaimRef, Cluster, Node
from conformance.expect import Expect


@check(
    id="preparation.wrong_claim",
    covers=("PREP-01", "PREP-12", "PREP-13"),
    needs=("injection.specs_resolve",),
    claims=1,
)
def test_wrong_claim(cluster: Cluster, node: Node, expect: Expect) -> None:
    """A claim that does not exist, one of another UID and one without allocation are all refused."""
    pod = cluster.apply("one_pod.yaml").pod("user")
    pod.wait_running()
    claim = pod.claim("devices").ref
    idle = unallocated(cluster, "idle").ref
    missing = ClaimRef(cluster.namespace, "missing", str(uuid4()))
    replaced = ClaimRef(claim.namespace, claim.name, str(uuid4()))
    until_good(lambda: node.unprepare(claim))  # so that no driver refuses because its devices are in use
    answers = [node.prepare(ref) for ref in (missing, replaced, idle)]
    refusals = {answer.asked[0].uid: answer.error for answer in answers}
    node.unprepare(missing)
    node.unprepare(replaced)
    node.unprepare(idle)
    expect("PREP-12").true(refusals[replaced.uid], "a UID that is not the claim's is refused", "it was prepared")
    expect("PREP-13").true(refusals[missing.uid], "a claim that does not exist is refused", "it was prepared")
    expect("PREP-13").true(refusals[idle.uid], "a claim without allocation is refused", "it was prepared")
    skipped = [answer.asked[0].name for answer in answers if answer.code == "OK" and not answer.entries]
    expect("PREP-01").equal(skipped, [], "a claim that is refused has an entry as well")
