"""Object metadata: what the API server fills in, and what a writer cannot change."""

import random
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.field_errors import invalid
from conformance.cluster.embedded.apiserver.objects import Object, clone, timestamp
from conformance.cluster.resources import Resource

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.kinds import Kind

_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
_GENERATED_BASE = 58
_SYSTEM = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink")
_OLDER_WINS = ("generation", "creationTimestamp")


def for_create(resource: Resource, obj: Object, namespace: str | None) -> None:
    """Fill in name, namespace, UID and creation time. Raises BadRequest when the namespaces do not agree."""
    obj |= {"apiVersion": resource.api_version, "kind": resource.kind}
    meta: dict[str, Any] = obj.setdefault("metadata", {})
    for key in _SYSTEM:
        meta.pop(key, None)
    _set_namespace(resource, meta, namespace)
    _drop_repeated_owners(meta)
    if not meta.get("name") and meta.get("generateName"):
        meta["name"] = _generated(str(meta["generateName"]))
    meta.setdefault("name", "")
    meta |= {"uid": str(uuid.uuid4()), "creationTimestamp": timestamp()}


def _drop_repeated_owners(meta: dict[str, Any]) -> None:
    """Owners that are named twice in the same words count once."""
    owners: list[Any] = []
    for row in meta.get("ownerReferences") or []:
        if row not in owners:
            owners.append(row)
    if owners:
        meta["ownerReferences"] = owners


def check_unversioned(meta: dict[str, Any], *, dry_run: bool) -> None:
    """Raises an internal error, as the storage does, for an object to be created that has a version."""
    version = meta.get("resourceVersion") or "0"
    if version.isdecimal() and int(version) and not dry_run:
        raise status.unexplained("resourceVersion should not be set on objects to be created")
    meta.pop("resourceVersion", None)


def _set_namespace(resource: Resource, meta: dict[str, Any], namespace: str | None) -> None:
    if not resource.namespaced:
        meta.pop("namespace", None)
        return
    if namespace and meta.get("namespace") not in (None, "", namespace):
        raise status.bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
    meta["namespace"] = namespace or meta.get("namespace") or "default"


def _generated(base: str) -> str:
    return base[:_GENERATED_BASE] + "".join(random.choices(_ALPHABET, k=5))


def for_update(
    kind: "Kind", new: Object, old: Object, *, keep_old: bool, patched: bool = False, version: str = ""
) -> None:
    """Check the preconditions that the object carries and keep what a writer cannot change.

    `keep_old`: a subresource is written, which leaves all metadata as it is. `patched`: the object is the stored one
    with changes. `version`: of the API that is used. Raises Conflict; Invalid without a resourceVersion where the
    kind wants one.
    """
    resource, meta, stored = kind.resource, new["metadata"], old["metadata"]
    uid = meta.get("uid")
    if uid and uid != stored["uid"] and not patched:
        why = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {stored['uid']}"
        raise status.conflict(resource, stored["name"], why)
    _check_version(kind, meta, stored, version)
    new |= {"apiVersion": resource.api_version, "kind": resource.kind}
    if keep_old:
        managed = meta.get("managedFields")
        meta.clear()
        meta |= clone(stored)
        if managed:
            meta["managedFields"] = managed
        return
    meta |= {"name": stored["name"], "resourceVersion": stored["resourceVersion"]}
    _drop_repeated_owners(meta)
    if not uid:
        meta["uid"] = stored["uid"]
    for key in _OLDER_WINS:
        meta.pop(key, None)
        if key in stored:
            meta[key] = stored[key]
    if "deletionTimestamp" in stored:
        meta["deletionTimestamp"] = stored["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in stored:
        meta.setdefault("deletionGracePeriodSeconds", stored["deletionGracePeriodSeconds"])


def _check_version(kind: "Kind", meta: dict[str, Any], stored: dict[str, Any], api: str) -> None:
    version, resource = meta.get("resourceVersion") or "0", kind.resource
    if not (version.isascii() and version.isdecimal()):
        raise status.unexplained(f'strconv.ParseUint: parsing "{version}": invalid syntax')
    if int(version) == 0:
        if api not in kind.conditional:
            return
        error = invalid("metadata.resourceVersion", 0, "must be specified for an update")
        raise status.invalid(replace(resource, kind=resource.plural), stored["name"], [error])
    if version != stored["resourceVersion"]:
        raise status.conflict(resource, stored["name"])


def set_condition(state: Object, kind: str, value: str) -> None:
    """Set a condition of a status object to "True" or "False", without reason and message."""
    conditions = [row for row in state.get("conditions", []) if row["type"] != kind]
    state["conditions"] = [*conditions, {"type": kind, "status": value, "lastTransitionTime": timestamp()}]
