"""All objects of one kind, as the store keeps them."""

from collections import deque

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.changes import Change, Watcher
from conformance.cluster.embedded.apiserver.kinds import Kind
from conformance.cluster.embedded.apiserver.objects import Key, Object, key_of

Objects = list[Object]

KEPT_CHANGES = 20_000


class Collection:
    """All objects of one kind, the changes still kept, and who watches."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.objects: dict[Key, Object] = {}
        self.changes: deque[Change] = deque(maxlen=KEPT_CHANGES)
        self.forgotten = 0
        self.watchers: list[Watcher] = []

    def past(self, version: int) -> dict[Key, Object]:
        """The objects as they were, by taking back all that came after. Raises Expired."""
        if version < self.forgotten:
            raise status.expired(version, self.forgotten)
        objects = dict(self.objects)
        for change in reversed(self.changes):
            if change.version <= version:
                break
            if change.previous is None:
                objects.pop(key_of(change.object), None)
            else:
                objects[key_of(change.object)] = change.previous
        return objects
