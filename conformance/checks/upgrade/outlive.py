"""Whether the slices of instances that end stay, as far as that can be told from a driver's habits.

The history does not say which of two instances deleted a slice. One that deletes slices while nobody ends replaces
its own by new ones, and may do so at any time; then all that counts is that there are some.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.checks.publishing.kept import missing, time_to_return
from conformance.cluster import Cluster
from conformance.expect import Expect
from conformance.history import Event

Slices = Callable[[], Sequence[dict[str, Any]]]


@dataclass(frozen=True)
class Published:
    """What there is before instances end: the slices' UIDs, the nodes that they name, and the place in the history.

    renews: whether slices were deleted although no instance had ended.
    """

    uids: frozenset[str]
    nodes: frozenset[str]
    seq: int
    renews: bool


def published(cluster: Cluster, slices: Slices, since: int) -> Published:
    """What is published now. No instance has ended from `since` on."""
    found, seq = slices(), len(cluster.history)
    uids = frozenset(item["metadata"]["uid"] for item in found)
    return Published(uids, _nodes(found), seq, any(event.seq < seq for event in _deletions(cluster, since)))


def judge_outlives(cluster: Cluster, before: Published, slices: Slices, expect: Expect) -> None:
    """UPG-04: the old instances have ended; what was published before is still there, or was replaced in time."""
    gone = [event for event in _deletions(cluster, before.seq) if not _is_obsolete(cluster, event)]
    lately = [event["object"]["metadata"] for event in gone]
    deleted = [meta["name"] for meta in lately if meta["uid"] in before.uids and not before.renews]
    expect("UPG-04").equal(deleted, [], "no slice is deleted when the old one ends")
    lost = missing(before.nodes, lambda: _nodes(slices()), time_to_return(cluster.target))
    expect("UPG-04").equal(lost, [], "where there were slices there are some after the end of the old one")


def _nodes(slices: Sequence[dict[str, Any]]) -> frozenset[str]:
    """Names of nodes, "" for slices that name none."""
    return frozenset(str(item["spec"].get("nodeName", "")) for item in slices)


def _is_obsolete(cluster: Cluster, deletion: Event) -> bool:
    """Whether its pool had a newer generation already, as when devices have changed: it was of no use any more."""
    spec = deletion["object"]["spec"]

    def is_newer(event: Event) -> bool:
        if event["resource"] != "resourceslices" or event.seq > deletion.seq:
            return False
        other = event["object"]["spec"]
        same = all(other.get(key) == spec.get(key) for key in ("driver", "nodeName"))
        same &= other["pool"]["name"] == spec["pool"]["name"]
        return same and bool(other["pool"]["generation"] > spec["pool"]["generation"])

    return any(cluster.history.events("api", is_newer))


def _deletions(cluster: Cluster, since: int) -> list[Event]:
    def deleted(event: Event) -> bool:
        ours = event["resource"] == "resourceslices" and event["type"] == "DELETED"
        return ours and bool(event["object"]["spec"]["driver"] == cluster.target.driver_name)

    return list(cluster.history.events("api", deleted, since))
