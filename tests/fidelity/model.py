"""Requests, and cases made of them, as plain data: what both API servers are asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from conformance.cluster.api import Object
from conformance.cluster.resources import RESOURCES

JSON = "application/json"
PATCH_TYPES = {
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "json": "application/json-patch+json",
    "apply": "application/apply-patch+yaml",
}


@dataclass(frozen=True)
class Ref:
    """A value out of the answer to an earlier request of the case: `step` counts from 0, `path` is dotted."""

    step: int
    path: str


@dataclass(frozen=True)
class Request:
    """One HTTP request. `body` is JSON with Refs in it, or bytes to be sent as they are."""

    method: str
    path: str
    body: Any = None
    content_type: str = JSON
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        query = "&".join(f"{key}={value}" for key, value in self.query.items())
        kind = f" ({self.content_type})" if self.content_type != JSON else ""
        return f"{self.method} {self.path}{'?' + query if query else ''}{kind}"


@dataclass(frozen=True)
class Case:
    """Requests in their order, and in a few words what is special about them."""

    about: str
    steps: Sequence[Request]

    @property
    def prefixes(self) -> list[str]:
        """What the servers are asked to complete to names."""
        bodies = [step.body for step in self.steps if isinstance(step.body, dict)]
        metas = [body["metadata"] for body in bodies if isinstance(body.get("metadata"), dict)]
        return [meta["generateName"] for meta in metas if isinstance(meta.get("generateName"), str)]


class Draw:
    """What a family makes a case from: chance, and a name that no other case uses."""

    def __init__(self, random: Random, name: str) -> None:
        self.random = random
        self.name = name

    def chance(self, part: float) -> bool:
        """True in `part` (0 to 1) of all cases."""
        return self.random.random() < part


def _body(resource: str, obj: Object, version: str) -> Object:
    row = RESOURCES[resource]
    return {"apiVersion": row.group_version(version or row.version), "kind": row.kind, **obj}


def create(resource: str, obj: Object, namespace: str = "", *, version: str = "", **query: Any) -> Request:
    """POST; `apiVersion` and `kind` are filled in unless the object has them."""
    path = RESOURCES[resource].path(namespace, version=version or None)
    return Request("POST", path, _body(resource, obj, version), query=query)


def update(
    resource: str,
    name: str,
    obj: Object,
    namespace: str = "",
    *,
    version: str = "",
    subresource: str = "",
    **query: Any,
) -> Request:
    """PUT of an object, or of its subresource."""
    path = _path(resource, name, namespace, version, subresource)
    return Request("PUT", path, _body(resource, obj, version), query=query)


def patch(
    resource: str,
    name: str,
    body: Any,
    namespace: str = "",
    *,
    kind: str = "merge",
    version: str = "",
    subresource: str = "",
    **query: Any,
) -> Request:
    """PATCH; `kind` is merge, strategic, json or apply (which wants `fieldManager` in the query)."""
    if kind == "apply" and isinstance(body, dict):
        body = _body(resource, body, version)
    path = _path(resource, name, namespace, version, subresource)
    return Request("PATCH", path, body, PATCH_TYPES[kind], query)


def delete(
    resource: str, name: str, namespace: str = "", options: Object | None = None, *, version: str = "", **query: Any
) -> Request:
    """DELETE; `options` are DeleteOptions."""
    body = None if options is None else {"apiVersion": "v1", "kind": "DeleteOptions", **options}
    return Request("DELETE", _path(resource, name, namespace, version, ""), body, query=query)


def delete_all(resource: str, namespace: str = "", *, version: str = "", **query: Any) -> Request:
    """DELETE of a collection: give a selector that only the case's own objects match."""
    return Request("DELETE", RESOURCES[resource].path(namespace, version=version or None), query=query)


def get(
    resource: str, name: str, namespace: str = "", *, version: str = "", subresource: str = "", **query: Any
) -> Request:
    """GET of an object."""
    return Request("GET", _path(resource, name, namespace, version, subresource), query=query)


def list_of(resource: str, namespace: str = "", *, version: str = "", **query: Any) -> Request:
    """GET of a collection: give a selector that only the case's own objects match."""
    return Request("GET", RESOURCES[resource].path(namespace, version=version or None), query=query)


def _path(resource: str, name: str, namespace: str, version: str, subresource: str) -> str:
    path = RESOURCES[resource].path(namespace, name, version=version or None)
    return f"{path}/{subresource}" if subresource else path
