"""What the scheduler and its controllers write into a claim is theirs alone."""

from collections.abc import Iterator
from typing import Any

from conformance.check import check
from conformance.cluster import Claim, Cluster, Node, Shared
from conformance.expect import Expect
from conformance.history import Event

Object = dict[str, Any]

FINALIZER = "resource.kubernetes.io/delete-protection"
WRITERS = ("kube-scheduler", "kube-controller-manager", "dra-conformance", "before-first-apply")
"""Field managers that write these fields on a cluster of ours, the last one for whoever has not said who it is."""
_BINDING = "status.allocation or status.reservedFor"  # how the API server names them when it refuses a write


@check(
    id="status.claim_left_alone",
    covers=("STS-04",),
    needs=("preparation.repeat_same_devices", "unpreparing.cleans_up"),
    claims=1,
)
def test_claim_left_alone(cluster: Cluster, node: Node, expect: Expect) -> None:
    """Prepare and Unprepare leave a claim's allocation, its reservations and the finalizer as they are."""
    start = len(cluster.history)
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim = pod.claim("devices")
    before = theirs(claim)
    node.prepare(claim.ref)
    node.unprepare(claim.ref)
    expect("STS-04").equal(theirs(claim), before, "allocation, reservedFor and finalizer of a claim in use stay")
    if not isinstance(cluster.backend, Shared):
        strangers = sorted(set(writers(claim.get())) - set(WRITERS))
        expect("STS-04").equal(strangers, [], "only Kubernetes has written allocation, reservedFor and finalizer")
    pod.delete()
    refused = [event["message"] for event in cluster.history.events("request", is_refused, start)]
    expect("STS-04").equal(refused, [], "nobody was refused to write allocation or reservedFor")


def theirs(claim: Claim) -> Object:
    """The parts of a claim that no driver writes."""
    now = claim.get()
    status = now.get("status") or {}
    protected = FINALIZER in (now["metadata"].get("finalizers") or ())
    return {"allocation": status.get("allocation"), "reservedFor": status.get("reservedFor"), "finalizer": protected}


def writers(claim: Object) -> Iterator[str]:
    """Field managers that own one of these parts."""
    for entry in claim["metadata"].get("managedFields") or ():
        fields = entry.get("fieldsV1") or {}
        status = fields.get("f:status") or {}
        finalizers = (fields.get("f:metadata") or {}).get("f:finalizers") or {}
        if "f:allocation" in status or "f:reservedFor" in status or f'v:"{FINALIZER}"' in finalizers:
            yield str(entry.get("manager", ""))


def is_refused(event: Event) -> bool:
    """Whether a request is a write of these parts, which the API server refused."""
    return event["code"] in (403, 422) and event["resource"] == "resourceclaims/status" and _BINDING in event["message"]
