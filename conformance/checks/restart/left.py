"""What is left of a node that was deleted."""

from conformance.cluster import Cluster, Node, seen_within
from conformance.verdict import WaitTimeout

_DELETED = 15.0  # seconds for slices that no garbage collection concerns: the driver may delete them itself
_COLLECTED = 45.0  # seconds: garbage collection takes one or two, on a busy machine more


def slices_kept(cluster: Cluster, node: Node, uid: str) -> list[str]:
    """Names of the slices that a node, which had this UID, leaves behind as something else holds them.

    Raises WaitTimeout for slices that only this node owned: the cluster ought to have deleted them.
    """

    def left() -> list[dict[str, object]]:
        return [item["metadata"] for item in cluster.slices_of(node)]

    if seen_within(lambda: not left(), _DELETED):
        return []
    seen_within(lambda: not any(_goes_with(meta, uid) for meta in left()), _COLLECTED - _DELETED)
    found = left()
    kept = [str(meta["name"]) for meta in found if not _goes_with(meta, uid)]
    if found and not kept:
        names = ", ".join(str(meta["name"]) for meta in found)
        raise WaitTimeout(
            f"waited {_COLLECTED:g} s for the cluster to delete slices that a deleted node owned: {names}"
        )
    return kept


def _goes_with(meta: dict[str, object], uid: str) -> bool:
    owners = meta.get("ownerReferences") or []
    assert isinstance(owners, list)
    return [owner["uid"] for owner in owners] == [uid] and not meta.get("finalizers")
