"""Which waiting pods a change may help: looking at all of them each time would take too long in a busy cluster.

Source: the queueing hints of the Kubernetes scheduler's plugins.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.podclaims import claim_references, done

_NEWS_OF_A_NODE = ("labels", "spec", "allocatable")


class Hints:
    """Remembers what it needs of objects to tell what a change is about."""

    def __init__(self) -> None:
        self._allocated: set[Key] = set()
        self._nodes: dict[Key, Mapping[str, Any]] = {}

    def helped(self, change: Change, pending: Mapping[Key, Json]) -> Iterable[Key]:
        """The pods, of those that wait, for which it may be worth another try."""
        match change.resource:
            case "pods":
                # One that has ended leaves room on its node.
                return pending if change.type == "DELETED" or done(change.object) else ()
            case "resourceclaims":
                return pending if self._freed(change) else _users(change.object, pending)
            case "nodes":
                return pending if self._node_changed(change) else ()
            case _:
                return [key for key, pod in pending.items() if _may_want_devices(pod)]

    def _freed(self, change: Change) -> bool:
        """Whether devices that were allocated are so no more."""
        key = key_of(change.object)
        before = key in self._allocated
        now = change.type != "DELETED" and bool((change.object.get("status") or {}).get("allocation"))
        if now:
            self._allocated.add(key)
        else:
            self._allocated.discard(key)
        return before and not now

    def _node_changed(self, change: Change) -> bool:
        key, node = key_of(change.object), change.object
        if change.type == "DELETED":
            self._nodes.pop(key, None)
            return False
        values = (node["metadata"].get("labels"), node.get("spec"), (node.get("status") or {}).get("allocatable"))
        news = dict(zip(_NEWS_OF_A_NODE, values, strict=True))
        before, self._nodes[key] = self._nodes.get(key), news
        return before != news


def _users(claim: Json, pending: Mapping[Key, Json]) -> list[Key]:
    namespace, name = key_of(claim)
    return [
        key
        for key, pod in pending.items()
        if key[0] == namespace and any(used == name for used, _ in claim_references(pod))
    ]


def _may_want_devices(pod: Json) -> bool:
    """Whether it has claims, or asks for resources that devices might give."""
    spec = pod["spec"]
    if spec.get("resourceClaims"):
        return True
    containers = [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]
    return any("/" in name for row in containers for name in (row.get("resources") or {}).get("requests") or ())
