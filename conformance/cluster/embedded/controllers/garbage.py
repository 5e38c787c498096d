"""Garbage collection: what belongs to an object goes with it, before it, or is left behind, as its deleter asked for.

Source: attemptToDeleteItem, processDeletingDependentsItem and orphanDependents of pkg/controller/garbagecollector.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.ownership import (
    FOREGROUND,
    ORPHAN,
    Item,
    Ownership,
    blocks,
    held_by,
    references,
)
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json


class GarbageCollector:
    """Works off changes of all kinds of objects."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ownership = Ownership(store)

    def handle(self, change: Change) -> None:
        """Look at what the change may have left behind."""
        self._unblock(self._ownership.note(change), change.object)
        meta = change.object["metadata"]
        item = Item(change.resource, (meta.get("namespace", ""), meta["name"]))
        if change.type == "DELETED":
            for dependent, obj in list(self._ownership.dependents(meta["uid"])):
                self._collect(dependent, obj)
            return
        if held_by(change.object, ORPHAN) or held_by(change.object, FOREGROUND):
            self._leave(item, meta["uid"])
        elif references(change.object):
            self._collect(item, change.object)

    def _leave(self, item: Item, uid: str) -> None:
        """An object waits for its dependents."""
        now = self._ownership.get(item)
        if now is None or now["metadata"]["uid"] != uid:
            return
        if held_by(now, ORPHAN):
            self._orphan(item, now)
        elif held_by(now, FOREGROUND):
            self._delete_dependents(item, now)

    def _unblock(self, unblocked: Iterable[Json], obj: Json) -> None:
        """Owners that the object no longer blocks may have waited for that."""
        for reference in unblocked:
            for item, owner in self._owner(reference, obj):
                if held_by(owner, FOREGROUND):
                    self._delete_dependents(item, owner)

    def _owner(self, reference: Json, obj: Json) -> Iterable[tuple[Item, Json]]:
        item = self._ownership.item(reference, obj)
        found = self._ownership.get(item) if item else None
        return [(item, found)] if item and found and found["metadata"]["uid"] == reference["uid"] else []

    def _collect(self, item: Item, obj: Json) -> None:
        """Delete an object of which no owner lives; else take away references to owners that do not."""
        if obj["metadata"].get("deletionTimestamp"):
            return
        owners = self._ownership.owners(obj)
        if not owners.waiting and not owners.gone:
            return
        now = self._ownership.get(item)
        if now is None or now["metadata"].get("deletionTimestamp") or references(now) != references(obj):
            # It has changed, and comes here again.
            return
        if owners.living:
            self._forget(item, {row["uid"] for row in [*owners.waiting, *owners.gone]})
        elif owners.waiting and (own := list(self._ownership.dependents(obj["metadata"]["uid"]))):
            if any(held_by(dependent, FOREGROUND) for _, dependent in own):
                # Owner and dependent may wait for each other in a circle.
                self._stop_blocking(item)
            self._delete(item, obj, "Foreground")
        else:
            self._delete(item, obj)

    def _delete(self, item: Item, obj: Json, propagation: str = "") -> None:
        # Somebody else may be faster.
        with suppress(ApiError):
            self._store.delete(
                item.resource, item.key[1], item.key[0] or None, uid=obj["metadata"]["uid"], propagation=propagation
            )

    def _stop_blocking(self, item: Item) -> None:
        """No owner waits for it any longer."""

        def stop(obj: dict[str, Any]) -> None:
            for row in obj["metadata"].get("ownerReferences") or ():
                if blocks(row):
                    row["blockOwnerDeletion"] = False

        with suppress(ApiError):
            self._modify(item, stop)

    def _delete_dependents(self, item: Item, owner: Json) -> None:
        """Delete what the owner has; when all that blocks its deletion is gone, let it go."""
        uid = owner["metadata"]["uid"]
        blocked = False
        for dependent, obj in list(self._ownership.dependents(uid)):
            self._collect(dependent, obj)
            mine = [row for row in references(obj) if row["uid"] == uid]
            blocked |= any(blocks(row) for row in mine) and self._ownership.get(dependent) is not None
        if not blocked:
            self._let_go(item, FOREGROUND)

    def _orphan(self, item: Item, owner: Json) -> None:
        for dependent, _ in list(self._ownership.dependents(owner["metadata"]["uid"])):
            self._forget(dependent, {owner["metadata"]["uid"]})
        self._let_go(item, ORPHAN)

    def _forget(self, item: Item, uids: set[str]) -> None:
        """Take references to owners away."""

        def drop(obj: dict[str, Any]) -> None:
            left = [row for row in obj["metadata"].pop("ownerReferences", ()) if row["uid"] not in uids]
            obj["metadata"] |= {"ownerReferences": left} if left else {}

        with suppress(ApiError):
            self._modify(item, drop)

    def _let_go(self, item: Item, finalizer: str) -> None:
        def drop(obj: dict[str, Any]) -> None:
            left = [name for name in obj["metadata"].pop("finalizers", ()) if name != finalizer]
            obj["metadata"] |= {"finalizers": left} if left else {}

        with suppress(ApiError):
            self._modify(item, drop)

    def _modify(self, item: Item, change: Callable[[dict[str, Any]], None]) -> None:
        self._store.modify(item.resource, item.key[1], item.key[0] or None, change)
