"""Object metadata: what the API server fills in, and what a writer cannot change."""

import random
import uuid
from typing import Any

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.objects import Object, clone, timestamp
from conformance.cluster.resources import Resource

_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
_GENERATED_BASE = 58
_SYSTEM = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation")


def for_create(resource: Resource, obj: Object, namespace: str | None) -> None:
    """Fill in name, namespace, UID and creation time. Raises BadRequest when the namespaces do not agree."""
    obj |= {"apiVersion": resource.api_version, "kind": resource.kind}
    meta: dict[str, Any] = obj.setdefault("metadata", {})
    if meta.pop("resourceVersion", ""):
        raise status.bad_request("resourceVersion should not be set on objects to be created")
    for key in _SYSTEM:
        meta.pop(key, None)
    _set_namespace(resource, meta, namespace)
    if not meta.get("name") and meta.get("generateName"):
        meta["name"] = _generated(str(meta["generateName"]))
    meta.setdefault("name", "")
    meta |= {"uid": str(uuid.uuid4()), "creationTimestamp": timestamp()}


def _set_namespace(resource: Resource, meta: dict[str, Any], namespace: str | None) -> None:
    if not resource.namespaced:
        meta.pop("namespace", None)
        return
    if namespace and meta.get("namespace", namespace) != namespace:
        raise status.bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
    meta["namespace"] = namespace or meta.get("namespace") or "default"


def _generated(base: str) -> str:
    return base[:_GENERATED_BASE] + "".join(random.choices(_ALPHABET, k=5))


def for_update(resource: Resource, new: Object, old: Object, *, keep_old: bool) -> None:
    """Check the preconditions that the object carries and keep what a writer cannot change.

    `keep_old`: a subresource is written, which leaves all metadata as it is. Raises Conflict.
    """
    meta, stored = new["metadata"], old["metadata"]
    _check(resource, meta, stored)
    new |= {"apiVersion": resource.api_version, "kind": resource.kind}
    if keep_old:
        managed = meta.get("managedFields")
        meta.clear()
        meta |= clone(stored)
        if managed:
            meta["managedFields"] = managed
        return
    meta |= {"name": stored["name"], "resourceVersion": stored["resourceVersion"]}
    for key in (*_SYSTEM, "namespace", "generateName"):
        meta.pop(key, None)
        if key in stored:
            meta[key] = stored[key]


def _check(resource: Resource, meta: dict[str, Any], stored: dict[str, Any]) -> None:
    version = meta.get("resourceVersion")
    if version and version != stored["resourceVersion"]:
        raise status.conflict(resource, stored["name"])
    if meta.get("uid") and meta["uid"] != stored["uid"]:
        why = f"Precondition failed: UID in precondition: {meta['uid']}, UID in object meta: {stored['uid']}"
        raise status.conflict(resource, stored["name"], why)


def set_condition(state: Object, kind: str, value: str) -> None:
    """Set a condition of a status object to "True" or "False", without reason and message."""
    conditions = [row for row in state.get("conditions", []) if row["type"] != kind]
    state["conditions"] = [*conditions, {"type": kind, "status": value, "lastTransitionTime": timestamp()}]
