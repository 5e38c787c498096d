"""The objects of the embedded cluster, kept as the API server keeps them; safe to share between threads."""

from collections.abc import Callable
from dataclasses import replace

from conformance.cluster.embedded.apiserver import deletion, managed, metadata, namespaces, status
from conformance.cluster.embedded.apiserver.changes import Change
from conformance.cluster.embedded.apiserver.collection import KEPT_CHANGES, Objects
from conformance.cluster.embedded.apiserver.kinds import KINDS, Kind
from conformance.cluster.embedded.apiserver.managed import Manager
from conformance.cluster.embedded.apiserver.objects import Object, clone, key_of
from conformance.cluster.embedded.apiserver.patch import Patch
from conformance.cluster.embedded.apiserver.reads import Reads
from conformance.cluster.embedded.apiserver.validation_meta import changed_metadata
from conformance.cluster.embedded.apiserver.write import Write


class Store(Reads):
    """What the scheduler and the controllers use directly, and what the API server answers from.

    Resources are named by their plural ("resourceclaims"). Objects that methods return are the caller's own copies,
    unless said otherwise. Refusals are the client's exceptions (conformance.cluster.api: NotFound, AlreadyExists,
    Conflict, Invalid, Forbidden). Writes default, validate and count generations as the API server does, a write
    that changes nothing makes no event, and every change is recorded in the history as `api`.
    """

    def create(
        self,
        resource: str,
        obj: Object,
        namespace: str | None = None,
        *,
        strict: bool = False,
        dry_run: bool = False,
        manager: Manager | None = None,
    ) -> Object:
        """Store a new object and return it. Raises AlreadyExists, Invalid, Forbidden; NotFound without its namespace.

        `strict`: unknown fields are refused with BadRequest, not dropped. `manager`: who owns the fields from now on;
        None where nobody keeps account of that.
        """
        kind = KINDS[resource]
        new = kind.read(obj, strict)
        metadata.for_create(kind.resource, new, namespace)
        with self._lock:
            namespaces.check(self, kind.resource, new)
            kind.review(new)
            asked = _written(
                kind, {key: value for key, value in new.items() if key != "status" or not kind.status}, given=True
            )
            kind.prepare_create(new)
            kind.drop(new)
            api = manager.api_version if manager else ""
            self._validate(kind, Write(new, None, "", self._namespace_labels(new), api))
            metadata.check_unversioned(new["metadata"], dry_run=dry_run)
            if key_of(new) in self._collections[resource].objects:
                raise status.already_exists(kind.resource, new["metadata"]["name"])
            new = _written(kind, new)
            managed.keep_account(kind, None, asked, manager)
            _take_account(new, asked)
            kind.admit(new)
            return new if dry_run else self._commit("ADDED", resource, new, None)

    def update(
        self,
        resource: str,
        obj: Object,
        *,
        strict: bool = False,
        dry_run: bool = False,
        manager: Manager | None = None,
    ) -> Object:
        """Replace an object, all but its status; without a resourceVersion whatever is stored is replaced.

        Raises NotFound, Conflict, Invalid. With the last finalizer of an object being deleted, the object goes.
        """
        return self._write(resource, obj, "", strict, dry_run, manager)

    def update_status(
        self,
        resource: str,
        obj: Object,
        *,
        strict: bool = False,
        dry_run: bool = False,
        manager: Manager | None = None,
    ) -> Object:
        """Replace the status only. Raises NotFound, Conflict, Invalid."""
        return self._write(resource, obj, "status", strict, dry_run, manager)

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
        patch: Patch,
        namespace: str | None = None,
        *,
        subresource: str = "",
        dry_run: bool = False,
    ) -> Object:
        """Apply a patch; a server-side apply creates what is missing.

        Raises NotFound, Conflict (the patch names a resourceVersion, or fields that others own), Invalid, BadRequest.
        """
        kind = KINDS[resource]
        # What is applied is owned before this; for all other patches it shows in what they change.
        manager = None if patch.type == "apply" else patch.manager
        with self._lock:
            old = self._collections[resource].objects.get((namespace or "", name))
            if old is None and (patch.type != "apply" or subresource):
                raise status.not_found(kind.resource, name)
            new = patch(kind, old)
            if old is None:
                new.setdefault("metadata", {})["name"] = name
                return self.create(resource, new, namespace, dry_run=dry_run)
            meta = new.setdefault("metadata", {})
            meta |= {"name": name} | ({"namespace": namespace} if namespace else {})
            return self._write(
                resource, new, subresource, False, dry_run, manager, patched=True, api=patch.manager.api_version
            )

    def bind(self, pod: str, namespace: str, node: str, given: Object | None = None) -> Object:
        """Bind a pod to a node, as the pods/binding subresource does; labels and annotations `given` are added.

        Raises NotFound; Conflict when it is bound, or waits at a gate.
        """

        def assign(obj: Object) -> None:
            bound, binding = obj["spec"].get("nodeName"), replace(KINDS["pods"].resource, plural="pods/binding")
            if bound:
                raise status.conflict(binding, pod, f'pod {pod} is already assigned to node "{bound}"')
            if obj["spec"].get("schedulingGates"):
                raise status.conflict(binding, pod, f"pod {pod} has non-empty .spec.schedulingGates")
            for key in ("labels", "annotations"):
                if (given or {}).get(key):
                    obj["metadata"].setdefault(key, {}).update((given or {})[key])
            obj["spec"]["nodeName"] = node
            obj.setdefault("status", {}).pop("nominatedNodeName", None)
            metadata.set_condition(obj["status"], "PodScheduled", "True")

        with self._lock:
            new = self.get("pods", pod, namespace)
            assign(new)
            return self._commit("MODIFIED", "pods", KINDS["pods"].written(new), self._stored("pods", pod, namespace))

    def delete(
        self,
        resource: str,
        name: str,
        namespace: str | None = None,
        *,
        grace_period_seconds: int | None = None,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str = "",
        dry_run: bool = False,
    ) -> Object:
        """Delete an object, or mark it as being deleted while finalizers or a kubelet's grace period hold it.

        `propagation`: what becomes of its dependents, "Foreground", "Background" or "Orphan".
        Returns the object as it last was. Raises NotFound; Conflict when `uid` or `resource_version` are others.
        """
        kind = KINDS[resource]
        namespaces.check_deletable(kind.resource, name)
        with self._lock:
            old = self._stored(resource, name, namespace)
            deletion.check_preconditions(kind.resource, old, uid, resource_version)
            marked = deletion.mark(kind, old, grace_period_seconds, propagation)
            if dry_run or marked == old:
                return marked or deletion.at_once(kind, old)
            if marked is None:
                last = deletion.at_once(kind, old)
                # That a pod is being deleted is seen before it is gone.
                return self._remove(
                    resource, last if last == old else self._commit("MODIFIED", resource, last, old), old
                )
            new = self._commit("MODIFIED", resource, marked, old)
            if resource == "namespaces":
                namespaces.empty(self, name)
            return new

    def drop(self, resource: str, name: str, namespace: str | None = None) -> None:
        """Take an object away whatever holds it. Raises NotFound."""
        with self._lock:
            self._remove(resource, self._stored(resource, name, namespace))

    def delete_collection(
        self,
        resource: str,
        namespace: str | None = None,
        *,
        label_selector: str = "",
        field_selector: str = "",
        grace_period_seconds: int | None = None,
        propagation: str = "",
        dry_run: bool = False,
    ) -> Objects:
        """Delete all objects that the selectors match; returns them as they were before."""
        with self._lock:
            selection = self.selection(resource, namespace, label_selector, field_selector)
            found = [dict(clone(obj)) for obj in self.view(resource, selection)[0]]
            for space, name in map(key_of, found):
                self.delete(
                    resource,
                    name,
                    space or None,
                    grace_period_seconds=grace_period_seconds,
                    propagation=propagation,
                    dry_run=dry_run,
                )
            return found

    def _write(
        self,
        resource: str,
        obj: Object,
        subresource: str,
        strict: bool,
        dry_run: bool,
        manager: Manager | None,
        *,
        patched: bool = False,
        api: str = "",
    ) -> Object:
        kind = KINDS[resource]
        new = kind.read(obj, strict)
        meta = new["metadata"]
        if not kind.resource.namespaced:
            meta.pop("namespace", None)
        with self._lock:
            if kind.upsert and key_of(new) not in self._collections[resource].objects:
                return self.create(resource, new, dry_run=dry_run, manager=manager)
            old = self._stored(resource, meta["name"], meta.get("namespace"))
            write = Write(
                new, old, subresource, self._namespace_labels(new), api or (manager.api_version if manager else "")
            )
            keeps = bool(subresource) and not kind.status_metadata
            metadata.for_update(kind, new, old, keep_old=keeps, patched=patched, version=write.version)
            asked = _written(kind, _asked(new, old, subresource), given=True)
            kind.prepare_update(new, old, subresource)
            if kind.generation and not subresource and kind.written(new).get("spec") != old.get("spec"):
                meta["generation"] = old["metadata"].get("generation", 0) + 1
            kind.drop(new)
            self._validate(kind, write)
            new = _written(kind, new)
            managed.keep_account(kind, old, asked, manager)
            _take_account(new, asked)
            managed.forget_times(old, new)
            if dry_run:
                return dict(clone(new))
            # Storage alone leaves it out.
            new["metadata"].pop("selfLink", None)
            if new == old:
                return dict(clone(new))
            if deletion.finished(new):
                # Whoever took the last finalizer away sees the object as it would have been.
                seen = dict(clone(new))
                self._remove(resource, new, old)
                return seen
            return self._commit("MODIFIED", resource, new, old)

    def _validate(self, kind: Kind, write: Write) -> None:
        path = kind.versions[write.version].path if write.version in kind.versions else str
        errors = [error.moved(path) for error in kind.validate(write)]
        if write.old is not None:
            # Leases are the only ones that may be held by any name.
            any_name = kind.resource.plural == "leases"
            errors += changed_metadata(write.new["metadata"], write.old["metadata"], any_finalizer=any_name)
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
        if len(collection.changes) == KEPT_CHANGES:
            collection.forgotten = collection.changes[0].version
        collection.changes.append(change)
        if self._history is not None:
            self._history.record("api", type=kind, resource=resource, object=obj)
        for watcher in list(collection.watchers):
            watcher.offer(change)
        return dict(clone(obj))


def _asked(new: Object, old: Object, subresource: str) -> Object:
    """What a writer asks for, before it is known what of it is kept: the half that the write reaches."""
    return (
        {**old, "metadata": new["metadata"], "status": new.get("status")}
        if subresource
        else {**new, "status": old.get("status")}
    )


def _take_account(new: Object, asked: Object) -> None:
    """Who owns what is by what was asked for, also where it is not kept."""
    new["metadata"].pop("managedFields", None)
    if rows := asked["metadata"].get("managedFields"):
        new["metadata"]["managedFields"] = rows


def _written(kind: Kind, obj: Object, *, given: bool = False) -> Object:
    """The stored form; that a writer wants nobody to own anything is still in it."""
    new = kind.written(obj, given=given)
    if obj["metadata"].get("managedFields") == []:
        new["metadata"]["managedFields"] = []
    return new
