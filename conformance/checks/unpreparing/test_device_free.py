"""What was unprepared can be prepared again, for the same claim and for another."""

from collections.abc import Iterable

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import ClaimRef, Cluster, Node
from conformance.cluster.cdi import ContainerEdits
from conformance.expect import Expect


@check(
    id="unpreparing.device_free",
    covers=("UNP-10", "UNP-11", "CDI-05"),
    needs=("unpreparing.cleans_up",),
    claims=1,
)
def test_device_free(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Claims that follow each other on one device are all prepared; an old UID does not undo a newer claim."""
    first = cluster.apply("one_pod.yaml", name="first").pod("first")
    first.wait_running()
    old = first.claim("devices").ref
    content = content_of(node, first.wait_prepared("devices").cdi_ids)
    first.delete()
    second = cluster.apply("one_pod.yaml", name="second").pod("second")
    answer = second.wait_prepared("devices")
    expect("UNP-10").equal(answer.error, "", "the next claim is prepared on what became free")
    second.wait_running()
    now = content_of(node, answer.cdi_ids)
    changed = sorted(cdi_id for cdi_id, edits in content.items() if now.get(cdi_id, edits) != edits)
    expect("CDI-05").equal(changed, [], "the next claim does not use a CDI id of the claim before for something else")
    claim = second.claim("devices").ref
    node.unprepare(ClaimRef(claim.namespace, claim.name, old.uid))
    expect("UNP-11").equal(node.cdi.unresolved(answer.cdi_ids), [], "Unprepare of an old UID leaves the claim alone")
    undone = until_good(lambda: node.unprepare(claim))
    expect("UNP-10").equal(undone.error, "", "the claim can be unprepared")
    redone = until_good(lambda: node.prepare(claim))
    expect("UNP-10").equal(redone.error, "", "the same claim can be prepared again")
    expect("UNP-10").equal(node.cdi.unresolved(redone.cdi_ids), [], "its CDI ids are all in specs again")


def content_of(node: Node, cdi_ids: Iterable[str]) -> dict[str, ContainerEdits]:
    """What each of the CDI ids that are in specs does to a container."""
    known = node.cdi.devices()
    return {cdi_id: node.cdi.edits([cdi_id]) for cdi_id in cdi_ids if cdi_id in known}
