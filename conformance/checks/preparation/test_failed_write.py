"""A Prepare that fails half way leaves nothing that stands in the way of the next one."""

from pathlib import Path

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import Cluster, Node, Shared
from conformance.cluster.obstacles import in_the_way
from conformance.expect import Expect
from conformance.verdict import NotApplicable, NotRun


@check(
    id="preparation.failed_write",
    covers=("PREP-08", "PREP-19", "UNP-06"),
    needs=("injection.specs_resolve", "unpreparing.cleans_up"),
    claims=1,
)
def test_failed_write(cluster: Cluster, node: Node, expect: Expect) -> None:
    """While the CDI spec of a claim cannot be written Prepare fails, and can be repeated and undone later."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim, given = pod.claim("devices").ref, pod.wait_prepared("devices").cdi_ids
    paths = spec_paths(cluster, node, given)
    until_good(lambda: node.unprepare(claim))
    paths = {path for path in paths if not path.exists()}
    if not paths:
        raise NotApplicable("the driver writes no CDI spec for a claim")
    with in_the_way(paths):
        failed = node.prepare(claim)
        lost = [] if failed.error else node.cdi.unresolved(failed.cdi_ids)
    undone = until_good(lambda: node.unprepare(claim))
    left = node.cdi.devices_for(claim.uid)
    expect("PREP-08").equal(lost, [], "a claim whose CDI spec cannot be written is not said to be prepared")
    expect("UNP-06").equal(undone.error, "", "Unprepare after the failed Prepare succeeds")
    expect("UNP-06").equal(left, [], "nothing of the claim is left then")
    with in_the_way(paths):
        node.prepare(claim)
    again = until_good(lambda: node.prepare(claim))
    expect("PREP-19").equal(again.error, "", "once its CDI spec can be written, the claim is prepared")
    expect("PREP-19").equal(node.cdi.unresolved(again.cdi_ids), [], "its CDI ids are all in specs then")


def spec_paths(cluster: Cluster, node: Node, cdi_ids: list[str]) -> set[Path]:
    """The files with these CDI devices. Raises NotRun where the node's files are not ours."""
    if isinstance(cluster.backend, Shared):
        raise NotRun("files of nodes are left alone on a cluster of others")
    devices = node.cdi.devices()
    return {device.spec.path for cdi_id in cdi_ids if (device := devices.get(cdi_id))}
