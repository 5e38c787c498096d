"""Who owns what: the objects of all kinds by the UIDs in their owner references."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.resources import RESOURCES, Resource

FOREGROUND = "foregroundDeletion"
"""The finalizer of an object whose dependents are deleted before it."""
ORPHAN = "orphan"
"""The finalizer of an object whose dependents are to stay."""

_KINDS = {(row.group, row.kind): row for row in RESOURCES.values()}


class Item(NamedTuple):
    """An object by its place."""

    resource: str
    key: Key


class Owners(NamedTuple):
    """The owner references of an object: to what lives, to what is waiting for its dependents, to what is not there."""

    living: list[Json]
    waiting: list[Json]
    gone: list[Json]


class Ownership:
    """Finds owners and dependents."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._dependents: dict[str, set[Item]] = defaultdict(set)
        self._blocking: dict[Item, list[Json]] = {}

    def note(self, change: Change) -> list[Json]:
        """Keep track of an object. Returns the references by which it no longer blocks the deletion of an owner."""
        item = Item(change.resource, key_of(change.object))
        for reference in references(change.object):
            if change.type == "DELETED":
                self._dependents[reference["uid"]].discard(item)
            else:
                self._dependents[reference["uid"]].add(item)
        blocking = [row for row in references(change.object) if change.type != "DELETED" and blocks(row)]
        before = self._blocking.pop(item, [])
        if blocking:
            self._blocking[item] = blocking
        still = {row["uid"] for row in blocking}
        return [row for row in before if row["uid"] not in still]

    def dependents(self, uid: str) -> Iterator[tuple[Item, Json]]:
        """The objects that the object with this UID owns, as they are now."""
        for item in sorted(self._dependents.get(uid, ())):
            obj = self.get(item)
            if obj is not None and any(row["uid"] == uid for row in references(obj)):
                yield item, obj
            else:
                self._dependents[uid].discard(item)

    def get(self, item: Item) -> dict[str, Any] | None:
        """The object; None when it is gone."""
        try:
            return self._store.get(item.resource, item.key[1], item.key[0] or None)
        except ApiError:
            return None

    def owners(self, obj: Json) -> Owners:
        """The references of an object, by what has become of the owners."""
        owners = Owners([], [], [])
        for reference in references(obj):
            self._place(reference, obj, owners)
        return owners

    def item(self, reference: Json, obj: Json) -> Item | None:
        """Where the owner of an object has to be; None where it cannot be followed to."""
        resource = _resource(reference)
        namespace = obj["metadata"].get("namespace", "")
        if resource is None or (resource.namespaced and not namespace):
            return None
        return Item(resource.plural, (namespace if resource.namespaced else "", reference["name"]))

    def _place(self, reference: Json, obj: Json, owners: Owners) -> None:
        item = self.item(reference, obj)
        if item is None:
            # Of owners that cannot be followed to, nothing can be said: they count as living.
            owners.living.append(reference)
            return
        found = self.get(item)
        if found is None or found["metadata"]["uid"] != reference["uid"]:
            owners.gone.append(reference)
        elif held_by(found, FOREGROUND):
            owners.waiting.append(reference)
        else:
            owners.living.append(reference)


def references(obj: Json) -> list[Json]:
    """The owner references of an object."""
    return list(obj["metadata"].get("ownerReferences") or ())


def blocks(reference: Json) -> bool:
    """Whether the owner, when it is deleted with its dependents before it, waits for the object with this reference."""
    return bool(reference.get("blockOwnerDeletion"))


def held_by(obj: Json, finalizer: str) -> bool:
    """Whether an object is being deleted and has this finalizer."""
    meta = obj["metadata"]
    return bool(meta.get("deletionTimestamp")) and finalizer in (meta.get("finalizers") or ())


def _resource(reference: Mapping[str, Any]) -> Resource | None:
    group, slash, _ = str(reference.get("apiVersion", "")).partition("/")
    return _KINDS.get((group if slash else "", str(reference.get("kind", ""))))
