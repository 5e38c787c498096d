"""Garbage collection: what belongs to a pod or a node goes with it.

Source: pkg/controller/garbagecollector.
"""

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json

# Kinds that own other objects here, with their resource; and resources with objects that they own.
_OWNERS = {"Pod": "pods", "Node": "nodes"}
_OWNED = ("resourceclaims", "resourceslices", "pods")


class GarbageCollector:
    """Deletes objects of which every owner is gone. An owner of the same name with another UID does not count."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def handle(self, change: Change) -> None:
        """Look at what the change may have left behind."""
        if change.type == "DELETED" and change.resource in _OWNERS.values():
            self._owner_gone(change.object["metadata"]["uid"])
        elif change.type != "DELETED" and change.resource in _OWNED:
            self._check(change.resource, change.object)

    def _owner_gone(self, uid: str) -> None:
        for resource in _OWNED:
            for obj in self._store.view(resource, self._store.selection(resource))[0]:
                if any(owner["uid"] == uid for owner in obj["metadata"].get("ownerReferences") or ()):
                    self._check(resource, obj)

    def _check(self, resource: str, obj: Json) -> None:
        meta = obj["metadata"]
        owners = meta.get("ownerReferences") or ()
        if not owners or meta.get("deletionTimestamp") or any(self._lives(owner, meta) for owner in owners):
            return
        try:
            self._store.delete(resource, meta["name"], meta.get("namespace"), uid=meta["uid"])
        except ApiError:
            # Somebody else was faster.
            return

    def _lives(self, owner: Json, meta: Json) -> bool:
        resource = _OWNERS.get(owner["kind"])
        if resource is None:
            # Owners of other kinds are not followed.
            return True
        namespace = meta.get("namespace") if resource == "pods" else None
        try:
            found = self._store.get(resource, owner["name"], namespace)
        except ApiError:
            return False
        return bool(found["metadata"]["uid"] == owner["uid"])
