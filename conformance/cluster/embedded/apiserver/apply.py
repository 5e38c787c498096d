"""Server-side apply: what a manager applies it owns, and what it no longer applies goes unless another owns it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver import managed, writing
from conformance.cluster.embedded.apiserver.conversion import SAME
from conformance.cluster.embedded.apiserver.fieldsets import (
    NOTHING,
    Paths,
    element,
    field_set,
    fields_of,
    is_leaf,
    with_named,
    without,
)
from conformance.cluster.embedded.apiserver.kinds import Kind
from conformance.cluster.embedded.apiserver.managed import Managed, Manager, Views
from conformance.cluster.embedded.apiserver.objects import Object, clone
from conformance.cluster.embedded.apiserver.status import bad_request
from conformance.cluster.embedded.apiserver.types import Field, Struct

_KUBECTL, _LAST_APPLIED = "kubectl", "kubectl.kubernetes.io/last-applied-configuration"
_BEFORE = "before-first-apply"


def server_side_apply(
    kind: Kind, struct: Struct, old: Object | None, config: Mapping[str, Any], manager: Manager, *, force: bool
) -> Object:
    """The object, in the stored layout and with its managedFields, after `manager` applied the configuration.

    old: as stored; config: in the manager's version, whose type `struct` is. Raises Conflict where fields are another
    manager's and `force` is not given, BadRequest for a configuration of another version.
    """
    if config.get("apiVersion", manager.api_version) != manager.api_version:
        text = f"Specified patch version: {config['apiVersion']}, expected: {manager.api_version}"
        raise bad_request(f"Incorrect version specified in apply patch. {text}")
    row, conversion = Field("", 0, struct.full_name), kind.conversion(manager.api_version) or SAME
    live = writing.write(struct.full_name, _without_managers(conversion.from_stored(old)) if old else {})
    if live:
        live["apiVersion"] = manager.api_version
    owners = Managed(_owners(kind, old, manager))
    last = owners.sets.get(manager.owner)
    mine = frozenset(path for path in field_set(row, config) if manager.wanted(path))
    owners.give(manager, mine, now=False)
    new = merge(row, live, config)
    if last:
        new = _prune(row, new, last, owners)
    stored = conversion.to_stored(new)
    managed.settle(owners, Views(kind, old, stored, {manager.api_version: new}), manager, force=force)
    owners.give(manager, mine - managed.STRIPPED, now=new != live)
    stored["metadata"] = {**stored["metadata"], "managedFields": owners.entries()}
    if manager.name == _KUBECTL and _LAST_APPLIED in (stored["metadata"].get("annotations") or {}):
        # What kubectl's apply on the client's side goes by is kept up to date (lastAppliedUpdater).
        text = json.dumps(config, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n"
        stored["metadata"]["annotations"] = {**stored["metadata"]["annotations"], _LAST_APPLIED: text}
    return stored


def _without_managers(obj: Object) -> Object:
    return {**obj, "metadata": {key: value for key, value in obj["metadata"].items() if key != "managedFields"}}


def _owners(kind: Kind, old: Object | None, manager: Manager) -> list[managed.Entry]:
    """Those there were; fields from before the first apply are owned by an updater of that name."""
    if old is None or old["metadata"].get("managedFields"):
        return list(old["metadata"]["managedFields"]) if old else []
    return managed.update(kind, None, old, Manager(_BEFORE, "Update", manager.api_version))


def merge(row: Field, old: Any, config: Any) -> Any:
    """A value with a configuration laid over it."""
    if config is None and not is_leaf(row):
        return old  # nothing is said of what is in it
    if is_leaf(row) or not old:
        return clone(config)
    if row.is_list:
        return list(_merged_items(row, old, config))
    new = dict(old)
    for key, value in config.items():
        below = row.item if row.is_map else fields_of(row).get(key)
        new[key] = merge(below, old.get(key), value) if below else clone(value)
    return new


def _merged_items(row: Field, old: list[Any], config: list[Any]) -> Iterator[Any]:
    """Items of both in the order of the configuration, the others where they were between them."""
    before, given = {element(row, item): item for item in old}, {element(row, item): item for item in config}
    waiting = list(given)
    for name, item in before.items():
        if name not in given:
            yield item
            continue
        while name in waiting:
            first = waiting.pop(0)
            yield merge(row.item, before.get(first), given[first])
    yield from (clone(given[name]) for name in waiting)


def _prune(row: Field, merged: Any, last: Paths, owners: Managed) -> Any:
    """Take out what the manager applied last time, but for what it or somebody else owns now."""
    pruned = without(row, merged, with_named(row, last))
    kept = _fields(row, pruned) | with_named(row, frozenset().union(*owners.sets.values()))
    pruned = without(row, merged, with_named(row, frozenset(field_set(row, merged))) - kept)
    dangling = (with_named(row, frozenset(field_set(row, merged))) - _fields(row, pruned)) & with_named(row, last)
    return without(row, merged, dangling)


def _fields(row: Field, value: Any) -> Paths:
    return frozenset() if value is NOTHING else with_named(row, frozenset(field_set(row, value)))
