"""The kubelet restarts while it waits for an answer of the driver, and asks again when it is back."""

from conformance.check import Tier, check
from conformance.checks.again import until_good
from conformance.cluster import ClaimRef, Cluster, Installation, Node, seen_within
from conformance.cluster.apirules import Rule
from conformance.expect import Expect
from conformance.history import Event, History

AT_WORK = 2.0  # seconds that the driver waits for the claim


@check(
    id="restart.kubelet_midway",
    covers=("PREP-18", "UNP-07"),
    needs=("publishing.republish", "unpreparing.cleans_up"),
    profile="hardening",
    tier=Tier.DISRUPT_NODE,
    claims=1,
)
def test_kubelet_midway(cluster: Cluster, node: Node, driver: Installation, history: History, expect: Expect) -> None:
    """A claim whose Prepare was cut off by a restart of the kubelet is prepared when the kubelet asks again."""
    cluster.need_calls()
    with cluster.backend.api_faults(driver) as faults:
        with faults.rule(Rule(("GET",), "/resourceclaims/", delay=AT_WORK)):
            since = len(history)
            pod = cluster.apply("one_pod.yaml").pod("user")
            claim = pod.claim("devices").ref
            history.wait("rpc", lambda event: is_prepare(event, claim), since=since, timeout=60)
            node.restart_kubelet()
        limit = driver.target.file.limits.pod_running
        seen_within(lambda: pod.phase == "Running", limit)
        answer = until_good(lambda: node.prepare(claim))
        expect("PREP-18").equal(
            answer.error, "", "a claim whose call was cut off is prepared when it is asked for again"
        )
        expect("PREP-18").equal(node.cdi.unresolved(answer.cdi_ids), [], "its CDI ids are all in specs")
        pod.wait_running().delete()
        expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "nothing is left of it when the pod is gone")


def is_prepare(event: Event, claim: ClaimRef) -> bool:
    """Whether a call to prepare the claim begins."""
    asked = (event["request"] or {}).get("claims", ()) if event["method"] == "NodePrepareResources" else ()
    return bool(event["phase"] == "start" and any(each["uid"] == claim.uid for each in asked))
