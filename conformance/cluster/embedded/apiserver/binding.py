"""pods/binding: a pod gets its node (pkg/registry/core/pod/storage/storage.go, BindingREST)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.cluster.embedded.apiserver import formats, status
from conformance.cluster.embedded.apiserver.field_errors import FieldError, aggregate, not_supported, required
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.store import Store


def bind(store: Store, info: RequestInfo, binding: dict[str, Any]) -> dict[str, Any]:
    """Bind the pod; returns the answer. Raises BadRequest, NotFound, Conflict, and ApiError 500 for a bad target."""
    meta, target = binding.get("metadata") or {}, binding.get("target") or {}
    if meta.get("name", "") != info.name:
        raise status.bad_request("name in URL does not match name in Binding object")
    errors = list(_errors(target))
    if errors:
        raise status.unexplained(aggregate(errors))
    resource = replace(info.kind.resource, plural=info.full_resource)
    pod = store.get("pods", info.name, info.namespace)["metadata"]
    for key, what in (("uid", "UID"), ("resourceVersion", "ResourceVersion")):
        if meta.get(key) not in (None, "", pod[key]):
            why = f"Precondition failed: {what} in precondition: {meta[key]}, {what} in object meta: {pod[key]}"
            raise status.conflict(info.kind.resource, info.name, why)
    if "deletionTimestamp" in pod:
        why = f"pod {info.name} is being deleted, cannot be assigned to a host"
        raise status.conflict(resource, info.name, why)
    store.bind(info.name, info.namespace, target["name"], meta)
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}


def _errors(target: dict[str, Any]) -> Iterator[FieldError]:
    kind, name = target.get("kind", ""), target.get("name", "")
    if kind not in ("", "Node"):
        yield not_supported("target.kind", kind, ("Node", "<empty>"))
    if not name:
        yield required("target.name")
    elif kind in ("", "Node"):
        yield from formats.each(formats.dns_subdomain(name), "target.name", name)
