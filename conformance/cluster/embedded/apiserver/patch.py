"""One patch of an object: merge (RFC 7396), JSON (RFC 6902), strategic merge or server-side apply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.apiserver.apply import server_side_apply
from conformance.cluster.embedded.apiserver.conversion import SAME
from conformance.cluster.embedded.apiserver.json_patch import json_patch
from conformance.cluster.embedded.apiserver.kinds import Kind
from conformance.cluster.embedded.apiserver.managed import Manager
from conformance.cluster.embedded.apiserver.objects import Object, clone
from conformance.cluster.embedded.apiserver.status import bad_request
from conformance.cluster.embedded.apiserver.strategic import strategic_merge
from conformance.cluster.embedded.apiserver.types import find_struct

Read = Callable[[Mapping[str, Any]], Object]


@dataclass(frozen=True)
class Patch:
    """A patch in one version of a kind.

    type: "merge", "strategic", "json" or "apply". force: an apply takes fields from others. read: checks what comes
    out of it, or what is applied.
    """

    type: str
    body: Any
    manager: Manager
    force: bool = False
    read: Read = dict

    def __call__(self, kind: Kind, old: Object | None) -> Object:
        """The object after the patch in the stored layout; `old`, as stored, may be None for "apply" only.

        Raises BadRequest for a malformed patch, Conflict for an apply that would take fields from others.
        """
        conversion = kind.conversion(self.manager.api_version) or SAME
        struct = find_struct(self.manager.api_version, kind.resource.kind)
        if self.type != "json" and not isinstance(self.body, Mapping):
            text = "json: cannot unmarshal array into Go value of type map[string]interface {}"
            raise bad_request(f"error decoding patch: {text}")
        assert struct is not None, kind.resource.kind
        if self.type == "apply":
            return server_side_apply(kind, struct, old, self.read(self.body), self.manager, force=self.force)
        before = {**clone(conversion.from_stored(old or {})), "apiVersion": self.manager.api_version}
        if self.type == "json":
            after = json_patch(before, self.body)
        elif self.type == "merge":
            after = dict(merge_patch(before, self.body))
        else:
            after = strategic_merge(struct, before, self.body)
        return conversion.to_stored(self.read(after))


def merge_patch(old: Any, patch: Any) -> Any:
    """RFC 7396: objects merged, null deletes, everything else replaces; null goes in objects of new lists, too."""
    if not isinstance(patch, Mapping):
        return clone(patch) if isinstance(old, Mapping) else _without_nulls(patch)
    new = dict(old) if isinstance(old, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        else:
            new[key] = merge_patch(new.get(key), value)
    return new


def _without_nulls(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
