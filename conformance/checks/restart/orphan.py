"""A claim that stays prepared although it is gone, as a kubelet without its checkpoint never asks otherwise."""

from uuid import uuid4

from conformance.checks.again import until_good
from conformance.cluster import Applied, Claim, Node, Pod, wait_for
from conformance.cluster.api import Conflict, NotFound
from conformance.verdict import Inconclusive


def prepared_past_the_kubelet(node: Node, applied: Applied) -> Claim:
    """The claim of left_prepared.yaml, allocated and prepared, while the kubelet knows of no pod that uses it.

    Raises Inconclusive.
    """
    user, holder, claim = applied.pod("user"), applied.pod("holder"), applied.claim("left")
    user.wait_running()
    wait_for(lambda: _reserve(claim, holder), "the claim to be reserved for another pod", timeout=10)
    user.delete()
    answer = until_good(lambda: node.prepare(claim.ref))
    if answer.error:
        raise Inconclusive(f"a claim that is still allocated could not be prepared again: {answer.error}")
    return claim


def delete_claim(applied: Applied, claim: Claim) -> None:
    """Delete the claim and the pod that it is reserved for. Raises WaitTimeout."""
    applied.pod("holder").delete()
    claim.delete()
    wait_for(lambda: _gone(claim), f"claim {claim.name} to be gone", timeout=30)


def _reserve(claim: Claim, pod: Pod) -> bool:
    now = claim.get()
    now["status"]["reservedFor"].append({"resource": "pods", "name": pod.name, "uid": pod.uid})
    try:
        claim.cluster.api.replace_status("resourceclaims", now)
    except Conflict:
        return False
    return True


def _gone(claim: Claim) -> bool:
    """Whether it is gone; else it is changed, so that its controller looks at it: that pod is none of its users."""
    touch = {"metadata": {"annotations": {"dra-conformance/touched": uuid4().hex}}}
    try:
        claim.cluster.api.patch("resourceclaims", claim.name, touch, claim.namespace)
    except NotFound:
        return True
    return False
