"""Two claims share a device: each has its own part of it."""

from collections.abc import Mapping

from conformance.check import check
from conformance.checks.injection.owned import faults
from conformance.checks.offered import claim_for, run_pod
from conformance.checks.shares.shareable import shareable, shares_of
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect


@check(
    id="shares.two_claims",
    covers=("PREP-27",),
    needs=("preparation.one_claim", "injection.specs_resolve"),
    profile="consumable-capacity",
    features=("consumable-capacity",),
)
def test_two_claims(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A second share of a device is prepared beside the first, under its own share id, and goes without touching it."""
    offer, name = shareable(cluster)[0], driver.target.driver_name
    one = run_pod(cluster, "one", offer)
    first = one.wait_prepared("devices")
    before = node.container(one.uid, "main")
    content = {cdi_id: node.cdi.edits([cdi_id]) for cdi_id in first.cdi_ids}
    two = cluster.apply("one_pod.yaml", name="two", claim=claim_for(cluster, offer)).pod("two")
    second = two.wait_prepared("devices")
    device = offer.rows[0][1]["name"]
    expect("PREP-27").equal(second.error, "", f"a second share of {device} is prepared beside the first")
    if "v1.DRAPlugin" in node.registrations(name)[-1].supported_versions:
        for pod, answer in ((one, first), (two, second)):
            shares = {key: row["shareID"] for key, row in shares_of(pod.claim("devices"), name).items()}
            wrong = [row for row in answer.devices if row.share_id != shares.get((row.pool_name, row.device_name))]
            expect("PREP-27").equal(wrong, [], f"each device of the answer carries the share id of {shares}")
    expect("PREP-27").equal(
        faults(cluster, node, first, second), {}, "no CDI device is defined twice, once for each share"
    )
    two.wait_running()
    judge_kept(node, content, "while the second share is used", expect)
    two.delete()
    judge_kept(node, content, "once the second share is gone", expect)
    expect("PREP-27").equal(node.restart_container(one.uid, "main"), before, "the first pod sees what it saw before")


def judge_kept(node: Node, content: Mapping[str, object], when: str, expect: Expect) -> None:
    """PREP-27: the CDI devices of a share are there, and are what they were."""
    expect("PREP-27").equal(node.cdi.unresolved(content), [], f"the CDI ids of the first share resolve {when}")
    changed = [cdi_id for cdi_id, edits in content.items() if node.cdi.edits([cdi_id]) != edits]
    expect("PREP-27").equal(changed, [], f"the CDI devices of the first share are what they were {when}")
