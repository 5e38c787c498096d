"""The objects of the embedded cluster, kept as the API server keeps them; safe to share between threads."""

import threading
from collections import deque
from collections.abc import Callable

from conformance.cluster.embedded.apiserver import deletion, metadata, namespaces, status
from conformance.cluster.embedded.apiserver.changes import Change, Deliver, Subscription, Watcher
from conformance.cluster.embedded.apiserver.kinds import KINDS, Kind
from conformance.cluster.embedded.apiserver.objects import Key, Object, clone, key_of
from conformance.cluster.embedded.apiserver.patch import apply_patch
from conformance.cluster.embedded.apiserver.selectors import Selection, select
from conformance.cluster.embedded.apiserver.write import Write
from conformance.history import History

Objects = list[Object]

_KEPT_CHANGES = 20_000


class Collection:
    """All objects of one kind, the changes still kept, and who watches."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.objects: dict[Key, Object] = {}
        self.changes: deque[Change] = deque(maxlen=_KEPT_CHANGES)
        self.forgotten = 0
        self.watchers: list[Watcher] = []


class Store:
    """What the scheduler and the controllers use directly, and what the API server answers from.

    Resources are named by their plural ("resourceclaims"). Objects that methods return are the caller's own copies,
    unless said otherwise. Refusals are the client's exceptions (conformance.cluster.api: NotFound, AlreadyExists,
    Conflict, Invalid, Forbidden). Writes default, validate and count generations as the API server does, a write
    that changes nothing makes no event, and every change is recorded in the history as `api`.
    """

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

    def view(self, resource: str, selection: Selection) -> tuple[Objects, int]:
        """The stored objects themselves (read only!), by namespace and name, and the resourceVersion of that state."""
        with self._lock:
            objects = self._collections[resource].objects
            return [obj for _, obj in sorted(objects.items()) if selection.matches(obj)], self._version

    def selection(
        self, resource: str, namespace: str | None = None, label_selector: str = "", field_selector: str = ""
    ) -> Selection:
        """Selectors as a value. Raises BadRequest for one that is not supported."""
        return select(namespace, label_selector, field_selector, KINDS[resource].selectable)

    def create(
        self, resource: str, obj: Object, namespace: str | None = None, *, strict: bool = False, dry_run: bool = False
    ) -> Object:
        """Store a new object and return it. Raises AlreadyExists, Invalid, Forbidden; NotFound without its namespace.

        `strict`: unknown fields are refused with BadRequest, not dropped.
        """
        kind = KINDS[resource]
        new = kind.read(obj, strict)
        metadata.for_create(kind.resource, new, namespace)
        with self._lock:
            namespaces.check(self, kind.resource, new)
            if key_of(new) in self._collections[resource].objects:
                raise status.already_exists(kind.resource, new["metadata"]["name"])
            kind.prepare_create(new)
            self._validate(kind, Write(new, None, "", self._namespace_labels(new)))
            return new if dry_run else self._commit("ADDED", resource, new, None)

    def update(self, resource: str, obj: Object, *, strict: bool = False, dry_run: bool = False) -> Object:
        """Replace an object, all but its status; without a resourceVersion whatever is stored is replaced.

        Raises NotFound, Conflict, Invalid. With the last finalizer of an object being deleted, the object goes.
        """
        return self._write(resource, obj, "", strict, dry_run)

    def update_status(self, resource: str, obj: Object, *, strict: bool = False, dry_run: bool = False) -> Object:
        """Replace the status only. Raises NotFound, Conflict, Invalid."""
        return self._write(resource, obj, "status", strict, dry_run)

    def modify(
        self,
        resource: str,
        name: str,
        namespace: str | None,
        change: Callable[[Object], None],
        *,
        status: bool = False,
    ) -> Object:
        """Read, let `change` edit the copy, and write it (the status only, with `status`), with nobody in between.

        Raises NotFound, Invalid, and whatever `change` raises (then nothing is written).
        """
        with self._lock:
            obj = self.get(resource, name, namespace)
            change(obj)
            return self.update_status(resource, obj) if status else self.update(resource, obj)

    def patch(
        self,
        resource: str,
        name: str,
        patch: object,
        namespace: str | None = None,
        *,
        kind: str = "merge",
        subresource: str = "",
        manager: str = "unknown",
        strict: bool = False,
        dry_run: bool = False,
    ) -> Object:
        """Apply a "merge", "strategic" or "json" patch, or a server-side "apply", which creates what is missing.

        Raises NotFound, Conflict (the patch names a resourceVersion), Invalid, BadRequest.
        """
        with self._lock:
            old = self._collections[resource].objects.get((namespace or "", name))
            if old is None and (kind != "apply" or subresource):
                raise status.not_found(KINDS[resource].resource, name)
            new = apply_patch(kind, clone(old) if old else None, patch, manager)
            if old is None:
                new.setdefault("metadata", {})["name"] = name
                return self.create(resource, new, namespace, strict=strict, dry_run=dry_run)
            return self._write(resource, new, subresource, strict, dry_run)

    def bind(self, pod: str, namespace: str, node: str) -> Object:
        """Bind a pod to a node, as the pods/binding subresource does. Raises NotFound, Conflict when it is bound."""

        def assign(obj: Object) -> None:
            bound = obj["spec"].get("nodeName")
            if bound:
                raise status.conflict(KINDS["pods"].resource, pod, f'pod {pod} is already assigned to node "{bound}"')
            obj["spec"]["nodeName"] = node
            metadata.set_condition(obj.setdefault("status", {}), "PodScheduled", "True")

        with self._lock:
            new = self.get("pods", pod, namespace)
            assign(new)
            return self._commit("MODIFIED", "pods", new, self._stored("pods", pod, namespace))

    def delete(
        self,
        resource: str,
        name: str,
        namespace: str | None = None,
        *,
        grace_period_seconds: int | None = None,
        uid: str | None = None,
        resource_version: str | None = None,
        dry_run: bool = False,
    ) -> Object:
        """Delete an object, or mark it as being deleted while finalizers or a kubelet's grace period hold it.

        Returns the object as it last was. Raises NotFound; Conflict when `uid` or `resource_version` are others.
        """
        kind = KINDS[resource]
        with self._lock:
            old = self._stored(resource, name, namespace)
            deletion.check_preconditions(kind.resource, old, uid, resource_version)
            if dry_run:
                return dict(clone(old))
            marked = deletion.mark(kind, old, grace_period_seconds)
            if marked is None:
                return self._remove(resource, old)
            new = self._commit("MODIFIED", resource, marked, old)
            if resource == "namespaces":
                namespaces.empty(self, name)
            return new

    def drop(self, resource: str, name: str, namespace: str | None = None) -> None:
        """Take an object away whatever holds it. Raises NotFound."""
        with self._lock:
            self._remove(resource, self._stored(resource, name, namespace))

    def delete_collection(
        self, resource: str, namespace: str | None = None, *, label_selector: str = "", field_selector: str = ""
    ) -> Objects:
        """Delete all objects that the selectors match; returns them."""
        with self._lock:
            selection = self.selection(resource, namespace, label_selector, field_selector)
            keys = [key_of(obj) for obj in self.view(resource, selection)[0]]
            return [self.delete(resource, name, space or None) for space, name in keys]

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

    def _write(self, resource: str, obj: Object, subresource: str, strict: bool, dry_run: bool) -> Object:
        kind = KINDS[resource]
        new = kind.read(obj, strict)
        meta = new["metadata"]
        with self._lock:
            old = self._stored(resource, meta["name"], meta.get("namespace"))
            metadata.for_update(kind.resource, new, old, keep_old=bool(subresource))
            kind.prepare_update(new, old, subresource)
            self._validate(kind, Write(new, old, subresource, self._namespace_labels(new)))
            if new == old or dry_run:
                return dict(clone(new))
            if kind.generation and not subresource and new.get("spec") != old.get("spec"):
                meta["generation"] = old["metadata"].get("generation", 0) + 1
            if deletion.finished(new):
                return self._remove(resource, new, old)
            return self._commit("MODIFIED", resource, new, old)

    def _validate(self, kind: Kind, write: Write) -> None:
        errors = kind.validate(write)
        if errors:
            raise status.invalid(kind.resource, write.new["metadata"]["name"], errors)

    def _namespace_labels(self, obj: Object) -> dict[str, str]:
        namespace = self._collections["namespaces"].objects.get(("", obj["metadata"].get("namespace", "")))
        return dict((namespace or {"metadata": {}})["metadata"].get("labels") or {})

    def _remove(self, resource: str, obj: Object, previous: Object | None = None) -> Object:
        gone = self._commit("DELETED", resource, dict(clone(obj)), previous or obj)
        namespaces.finish(self, gone)
        return gone

    def _commit(self, kind: str, resource: str, obj: Object, previous: Object | None) -> Object:
        collection = self._collections[resource]
        self._version += 1
        obj["metadata"]["resourceVersion"] = str(self._version)
        if kind == "DELETED":
            del collection.objects[key_of(obj)]
        else:
            collection.objects[key_of(obj)] = obj
        change = Change(kind, self._version, obj, previous)
        if len(collection.changes) == _KEPT_CHANGES:
            collection.forgotten = collection.changes[0].version
        collection.changes.append(change)
        if self._history is not None:
            self._history.record("api", type=kind, resource=resource, object=obj)
        for watcher in list(collection.watchers):
            watcher.offer(change)
        return dict(clone(obj))
