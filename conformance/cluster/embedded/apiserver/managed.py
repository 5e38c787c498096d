"""Who owns which fields: metadata.managedFields, kept with every write of a client, and conflicts between appliers.

Source: k8s.io/apimachinery/pkg/util/managedfields, sigs.k8s.io/structured-merge-diff/merge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.apiserver import fieldsets, writing
from conformance.cluster.embedded.apiserver.conversion import SAME
from conformance.cluster.embedded.apiserver.fieldsets import Difference, Path, Paths
from conformance.cluster.embedded.apiserver.kinds import Kind
from conformance.cluster.embedded.apiserver.objects import Object, timestamp
from conformance.cluster.embedded.apiserver.status import apply_conflict
from conformance.cluster.embedded.apiserver.types import Field, find_struct

Entry = dict[str, Any]
Owner = tuple[str, str, str, str]  # manager, operation, subresource, and for updates the version

STRIPPED = {("f:apiVersion",), ("f:kind",), ("f:metadata",)} | {
    ("f:metadata", f"f:{name}")
    for name in (
        *("name", "namespace", "creationTimestamp", "selfLink", "uid"),
        *("clusterName", "generation", "managedFields", "resourceVersion"),
    )
}
_MOST_UPDATERS = 10


@dataclass(frozen=True)
class Manager:
    """A client as the owner of fields: its name, how it writes, in which version, to which subresource.

    reaches_metadata: what it writes to the subresource are metadata, too.
    """

    name: str
    operation: str
    api_version: str
    subresource: str = ""
    reaches_metadata: bool = False

    @property
    def version(self) -> str:
        """The version without its group."""
        return self.api_version.rpartition("/")[2]

    @property
    def owner(self) -> Owner:
        """What its entries have in common; what a manager applies is one entry whatever the version."""
        version = self.api_version if self.operation == "Update" else ""
        return self.name, self.operation, self.subresource, version

    def wanted(self, path: Path) -> bool:
        """Whether it can own the field: not what the server keeps, nor what this endpoint does not write."""
        if self.subresource and self.reaches_metadata:
            return path[0] != "f:spec" and path[:2] != ("f:metadata", "f:ownerReferences")
        if self.subresource:
            return path[0] not in ("f:spec", "f:metadata")
        return path[0] != "f:status"


class Views:
    """An object before and after a write, in the versions that owners of its fields wrote it in.

    `raw`: what it is after the write in some versions, as it was given; it is not looked at in stored form then.
    """

    def __init__(self, kind: Kind, old: Object | None, new: Object, raw: Mapping[str, Object] | None = None) -> None:
        self._kind = kind
        self._states = old, new
        self._raw = raw or {}
        self._differences: dict[str, Difference] = {}

    def type_of(self, api_version: str) -> Field | None:
        """The type of the object in a version; None for one that is not served."""
        struct = find_struct(api_version, self._kind.resource.kind)
        return fieldsets.root(struct) if struct and self._kind.conversion(api_version) else None

    def difference(self, api_version: str, manager: Manager) -> Difference | None:
        """What the write changes, in a version; None for one that is not served."""
        row = self.type_of(api_version)
        if row is None or row.struct is None:
            return None
        if api_version not in self._differences:
            old, new = (self._in_version(state, api_version) for state in self._states)
            new = self._raw.get(api_version, new)
            self._differences[api_version] = fieldsets.compare(row, old, new).where(manager.wanted)
        return self._differences[api_version]

    def _in_version(self, obj: Object | None, api_version: str) -> Object:
        struct = find_struct(api_version, self._kind.resource.kind)
        assert struct is not None
        conversion = self._kind.conversion(api_version) or SAME
        seen = conversion.from_stored(obj) if obj else {}
        meta = {key: value for key, value in (seen.get("metadata") or {}).items() if key != "managedFields"}
        return writing.write(struct.full_name, {**seen, "metadata": meta}, given=True)


class Managed:
    """The owners of an object's fields."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.sets: dict[Owner, Paths] = {}
        self._entries: dict[Owner, Entry] = {}
        for entry in entries:
            manager = Manager(
                entry.get("manager", ""), entry["operation"], entry["apiVersion"], entry.get("subresource", "")
            )
            self._entries[manager.owner] = entry
            self.sets[manager.owner] = frozenset(fieldsets.decode(entry.get("fieldsV1") or {}))

    def version(self, owner: Owner) -> str:
        """The version that an owner's fields are in."""
        return str(self._entries[owner]["apiVersion"])

    def give(self, manager: Manager, paths: Paths, *, now: bool) -> None:
        """What a manager owns from now on; `now`: it has just changed something, which its entry tells the time of."""
        owner = manager.owner
        if not paths:
            self.drop(owner)
            return
        time = timestamp() if now else self._entries.get(owner, {}).get("time")
        entry: Entry = {"manager": manager.name, "operation": manager.operation, "apiVersion": manager.api_version}
        entry |= {"time": time} if time else {}
        entry |= {"fieldsType": "FieldsV1", "fieldsV1": fieldsets.encode(paths)}
        if manager.subresource:
            entry["subresource"] = manager.subresource
        self.sets[owner], self._entries[owner] = paths, entry

    def take(self, owner: Owner, paths: Iterable[Path]) -> None:
        """What an owner owns no longer."""
        left = self.sets[owner].difference(paths)
        if left == self.sets[owner]:
            return
        if not left:
            self.drop(owner)
            return
        self.sets[owner] = left
        self._entries[owner] = {**self._entries[owner], "fieldsV1": fieldsets.encode(left)}

    def drop(self, owner: Owner) -> None:
        """An owner owns nothing any more."""
        self.sets.pop(owner, None)
        self._entries.pop(owner, None)

    def entries(self) -> list[Entry]:
        """As metadata.managedFields has them."""
        keys = ("operation", "time", "manager", "apiVersion", "subresource")
        return sorted(self._entries.values(), key=lambda entry: [entry.get(key) or "" for key in keys])


def keep_account(kind: Kind, old: Object | None, new: Object, manager: Manager | None) -> None:
    """Write into a new state who owns its fields; without a manager nobody's fields change hands."""
    meta = new["metadata"]
    if manager is None:
        entries = meta.get("managedFields") or ((old or {}).get("metadata") or {}).get("managedFields")
    else:
        entries = update(kind, old, new, manager)
    meta.pop("managedFields", None)
    if entries:
        meta["managedFields"] = entries


def update(kind: Kind, old: Object | None, new: Object, manager: Manager) -> list[Entry]:
    """managedFields after a create, an update or a patch: what it changes belongs to the manager from now on."""
    managed = Managed(_entries_for_update(old, new, manager))
    if old is not None and not managed.sets:
        return []
    views = Views(kind, old, new)
    settle(managed, views, manager, force=True)
    difference = views.difference(manager.api_version, manager)
    if difference is None:
        return managed.entries()
    mine, changed = managed.sets.get(manager.owner, frozenset()), difference.modified | difference.added
    owned = frozenset((mine - difference.removed) | changed) - STRIPPED
    managed.give(manager, owned, now=bool(changed - STRIPPED))
    return managed.entries()


def forget_times(old: Object, new: Object) -> None:
    """Where a write changes nothing but the times of owners, the times stay (IgnoreManagedFieldsTimestamps)."""
    rows, before = (obj["metadata"].get("managedFields") or [] for obj in (new, old))
    timeless = [[{**row, "time": None} for row in owners] for owners in (rows, before)]
    if rows != before and timeless[0] == timeless[1] and _unowned(old) == _unowned(new):
        new["metadata"]["managedFields"] = before


def _unowned(obj: Object) -> Object:
    return {**obj, "metadata": {key: value for key, value in obj["metadata"].items() if key != "managedFields"}}


def settle(managed: Managed, views: Views, manager: Manager, *, force: bool) -> None:
    """Take what a write changes from its other owners. Raises Conflict where it was not forced to."""
    conflicts: dict[Owner, Paths] = {}
    for owner in [owner for owner in managed.sets if owner != manager.owner]:
        difference = views.difference(managed.version(owner), manager)
        if difference is None:
            managed.drop(owner)
            continue
        if shared := managed.sets[owner] & (difference.modified | difference.added):
            conflicts[owner] = shared
    if conflicts and not force:
        raise _conflict(managed, conflicts)
    for owner in [owner for owner in managed.sets if owner != manager.owner]:
        difference = views.difference(managed.version(owner), manager)
        if difference is not None:
            managed.take(owner, {*conflicts.get(owner, ()), *difference.removed})


def _conflict(managed: Managed, conflicts: Mapping[Owner, Paths]) -> Exception:
    rows = []
    for owner in sorted(conflicts):
        name, operation, subresource, _ = owner
        who = f'"{name}"' + (f' with subresource "{subresource}"' if subresource else "")
        who += f" using {managed.version(owner)}" if operation == "Update" else ""
        rows.append((who, sorted(map(fieldsets.text, conflicts[owner]))))
    return apply_conflict(rows)


def _entries_for_update(old: Object | None, new: Object, manager: Manager) -> list[Entry]:
    """Those that the writer sent, where it may; else those there were."""
    before = list(((old or {}).get("metadata") or {}).get("managedFields") or [])
    given = new["metadata"].get("managedFields")
    if manager.subresource or given is None:
        return before
    if given in ([], [{}]):
        return []
    complete = all(
        row.get("operation") in ("Apply", "Update") and row.get("apiVersion") and row.get("fieldsType") == "FieldsV1"
        for row in given
    )
    return given if complete else before
