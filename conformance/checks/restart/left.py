"""What is left of a node that was deleted."""

from conformance.cluster import Cluster, Node, seen_within
from conformance.verdict import WaitTimeout

_GONE = 45.0  # seconds: garbage collection takes one or two, on a busy machine more


def slices_kept(cluster: Cluster, node: Node, uid: str) -> list[str]:
    """Names of the slices that a node, which had this UID, leaves behind as something else holds them.

    Raises WaitTimeout for slices that only this node owned: the cluster ought to have deleted them.
    """
    if seen_within(lambda: not cluster.slices_of(node), _GONE):
        return []
    left = [item["metadata"] for item in cluster.slices_of(node)]
    kept = [meta["name"] for meta in left if not _goes_with(meta, uid)]
    if left and not kept:
        names = ", ".join(meta["name"] for meta in left)
        raise WaitTimeout(f"waited {_GONE:g} s for the cluster to delete slices that a deleted node owned: {names}")
    return kept


def _goes_with(meta: dict[str, object], uid: str) -> bool:
    owners = meta.get("ownerReferences") or []
    assert isinstance(owners, list)
    return [owner["uid"] for owner in owners] == [uid] and not meta.get("finalizers")
