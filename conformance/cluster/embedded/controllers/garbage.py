"""Garbage collection: what belongs to an object goes with it, before it, or is left behind, as its deleter asked for.

Source: attemptToDeleteItem, processDeletingDependentsItem and orphanDependents of pkg/controller/garbagecollector.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.ownership import FOREGROUND, ORPHAN, Item, Ownership, held_by, references
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json


class GarbageCollector:
    """Works off changes of all kinds of objects."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ownership = Ownership(store)

    def handle(self, change: Change) -> None:
        """Look at what the change may have left behind."""
        self._ownership.note(change)
        meta = change.object["metadata"]
        item = Item(change.resource, (meta.get("namespace", ""), meta["name"]))
        if change.type == "DELETED":
            for dependent, obj in list(self._ownership.dependents(meta["uid"])):
                self._collect(dependent, obj)
            self._unblock(change.object)
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

    def _unblock(self, gone: Json) -> None:
        """Owners may have waited for it."""
        for reference in references(gone):
            for item, owner in self._owner(reference, gone):
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
        if now is None or references(now) != references(obj):
            # It has changed, and comes here again.
            return
        if owners.living:
            self._forget(item, {row["uid"] for row in [*owners.waiting, *owners.gone]})
        elif owners.waiting and any(True for _ in self._ownership.dependents(obj["metadata"]["uid"])):
            self._delete(item, obj, FOREGROUND)
        else:
            self._delete(item, obj, "")

    def _delete(self, item: Item, obj: Json, finalizer: str) -> None:
        def hold(stored: dict[str, Any]) -> None:
            stored["metadata"].setdefault("finalizers", []).append(finalizer)

        # Somebody else may be faster.
        with suppress(ApiError):
            if finalizer:
                self._modify(item, hold)
            self._store.delete(item.resource, item.key[1], item.key[0] or None, uid=obj["metadata"]["uid"])

    def _delete_dependents(self, item: Item, owner: Json) -> None:
        """Delete what the owner has; when all that blocks its deletion is gone, let it go."""
        uid = owner["metadata"]["uid"]
        blocked = False
        for dependent, obj in list(self._ownership.dependents(uid)):
            self._collect(dependent, obj)
            mine = [row for row in references(obj) if row["uid"] == uid]
            blocked |= any(row.get("blockOwnerDeletion") for row in mine) and self._ownership.get(dependent) is not None
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
