"""Reading the objects of the store, and watching them change."""

import threading

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.changes import Change, Deliver, Subscription, Watcher
from conformance.cluster.embedded.apiserver.collection import Collection, Objects
from conformance.cluster.embedded.apiserver.kinds import KINDS
from conformance.cluster.embedded.apiserver.objects import Object, clone
from conformance.cluster.embedded.apiserver.selectors import Selection, select
from conformance.history import History


class Reads:
    """The half of the store that changes nothing; `Store` is the whole."""

    def __init__(self, history: History | None = None) -> None:
        self._lock = threading.RLock()
        self._history = history
        self._version = 1
        self._collections = {plural: Collection(kind) for plural, kind in KINDS.items()}

    @property
    def resource_version(self) -> int:
        """The version of the latest change."""
        return self._version

    def get(self, resource: str, name: str, namespace: str | None = None) -> Object:
        """One object. Raises NotFound."""
        with self._lock:
            return dict(clone(self._stored(resource, name, namespace)))

    def exists(self, resource: str, name: str, namespace: str | None = None) -> bool:
        """Whether there is such an object."""
        return (namespace or "", name) in self._collections[resource].objects

    def list(
        self, resource: str, namespace: str | None = None, *, label_selector: str = "", field_selector: str = ""
    ) -> Objects:
        """The objects, by namespace and name. Raises BadRequest for a selector that is not supported."""
        selection = self.selection(resource, namespace, label_selector, field_selector)
        return [dict(clone(obj)) for obj in self.view(resource, selection)[0]]

    def view(self, resource: str, selection: Selection, version: int | None = None) -> tuple[Objects, int]:
        """The stored objects themselves (read only!), by namespace and name, and the resourceVersion of that state.

        `version`: of a state that is past. Raises Expired when its changes are no longer kept.
        """
        with self._lock:
            collection = self._collections[resource]
            objects = collection.objects if version is None else collection.past(version)
            chosen = [obj for _, obj in sorted(objects.items()) if selection.matches(obj)]
            return chosen, self._version if version is None else version

    def everything(self, resource: str) -> Objects:
        """The stored objects themselves (read only!), in no particular order but always in the same."""
        with self._lock:
            return list(self._collections[resource].objects.values())

    def selection(
        self, resource: str, namespace: str | None = None, label_selector: str = "", field_selector: str = ""
    ) -> Selection:
        """Selectors as a value. Raises BadRequest for one that is not supported."""
        kind = KINDS[resource]
        return select(namespace, label_selector, field_selector, kind.selectable, kind.unknown_field)

    def subscribe(
        self, resource: str, namespace: str | None = None, *, label_selector: str = "", field_selector: str = ""
    ) -> Subscription:
        """What is there as ADDED, then every change, as a queue for one thread. Close it when done."""
        subscription = Subscription()
        selection = self.selection(resource, namespace, label_selector, field_selector)
        with self._lock:
            for obj in self.view(resource, selection)[0]:
                subscription.put(Change("ADDED", int(obj["metadata"]["resourceVersion"]), obj))
            subscription.attach(self.watch(resource, selection, self._version, subscription.put))
        return subscription

    def watch(self, resource: str, selection: Selection, since: int, deliver: Deliver) -> Watcher:
        """Deliver every change after version `since`, those that are past at once. Raises Expired.

        `deliver` runs in the thread that makes the change, under the store's lock: it may only hand the change on.
        """
        with self._lock:
            collection = self._collections[resource]
            if since < collection.forgotten:
                raise status.expired(since, collection.forgotten)
            watcher = Watcher(selection, deliver, lambda w: self._forget(collection, w))
            for change in collection.changes:
                if change.version > since:
                    watcher.offer(change)
            collection.watchers.append(watcher)
        return watcher

    def expire(self, resource: str) -> None:
        """Forget past changes of a collection, so that watches from an older version are refused with 410."""
        with self._lock:
            self._collections[resource].changes.clear()
            self._collections[resource].forgotten = self._version

    def _forget(self, collection: Collection, watcher: Watcher) -> None:
        with self._lock:
            if watcher in collection.watchers:
                collection.watchers.remove(watcher)

    def _stored(self, resource: str, name: str, namespace: str | None) -> Object:
        found = self._collections[resource].objects.get((namespace or "", name))
        if found is None:
            raise status.not_found(KINDS[resource].resource, name)
        return found
