"""What clients ask first: version, API groups and resources, each by itself or all together, and OpenAPI documents."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from conformance.cluster.embedded.apiserver.kinds import KINDS, REVIEWS, Kind
from conformance.cluster.embedded.apiserver.openapi import openapi
from conformance.cluster.resources import RESOURCES, Resource

Object = dict[str, Any]

VERSION = "v1.37.2"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
HEALTH = ("/healthz", "/readyz", "/livez")
_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
_STATUS_VERBS = ["get", "patch", "update"]
_ORDER = ("v1", "v1beta2", "v1beta1")
_CATEGORIES = {"pods": ["all"]}


def document(path: str) -> Object | None:
    """The JSON document under a path; None when there is none."""
    match [part for part in path.split("/") if part]:
        case ["version"]:
            return _version()
        case ["api"]:
            return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}
        case ["apis"]:
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(group) for group in _groups()]}
        case ["apis", group] if group in _groups():
            return {"kind": "APIGroup", "apiVersion": "v1", **_group(group)}
        case ["api", version]:
            return _resources("", version)
        case ["apis", group, version]:
            return _resources(group, version)
        case ["openapi", "v2"]:
            return {"swagger": "2.0", "info": {"title": "Kubernetes", "version": VERSION}, "paths": {}}
        case ["openapi", "v3"]:
            return {"paths": {path: {"serverRelativeURL": f"/openapi/v3/{path}"} for path in _served()}}
        case ["openapi", "v3", *parts] if "/".join(parts) in _served():
            return openapi(*_served()["/".join(parts)])
    return None


def paths() -> Object:
    """All that there is to ask, by its path."""
    versions = [f"/{path}" for path in _served()]
    groups = [f"/apis/{group}" for group in _groups()]
    documents = ["/api", "/apis", *HEALTH, "/openapi/v2", "/openapi/v3", "/version"]
    return {"paths": sorted([*documents, *groups, *versions])}


def wants_aggregated(accept: str) -> bool:
    """Whether a client would rather have one document."""
    return "as=APIGroupDiscoveryList" in accept and "v=v2" in accept


def aggregated(path: str) -> Object | None:
    """All groups with their resources in one document, for clients that ask for `AGGREGATED`."""
    if path.strip("/") not in ("api", "apis"):
        return None
    groups = [""] if path.strip("/") == "api" else list(_groups())
    items = [
        {
            "metadata": {"name": group} if group else {},
            "versions": [
                {"version": version, "resources": list(_discovered(group, version)), "freshness": "Current"}
                for version in _versions(group)
            ],
        }
        for group in groups
    ]
    return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items}


def _version() -> Object:
    major, minor, _ = VERSION.removeprefix("v").split(".")
    return {
        "major": major,
        "minor": minor,
        "emulationMajor": major,
        "emulationMinor": minor,
        "minCompatibilityMajor": major,
        "minCompatibilityMinor": str(int(minor) - 1),
        "gitVersion": VERSION,
        "gitCommit": "",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "",
        "compiler": "",
        "platform": "linux/amd64",
    }


@cache
def _groups() -> tuple[str, ...]:
    groups = [group for kind in KINDS.values() for group, _, _ in kind.served()]
    return tuple(dict.fromkeys(filter(None, [*groups, *(review.group for review in REVIEWS.values())])))


def _versions(group: str) -> list[str]:
    served = {version for kind in KINDS.values() for of, version, _ in kind.served() if of == group}
    served |= {review.version for review in REVIEWS.values() if review.group == group}
    return [version for version in _ORDER if version in served]


@cache
def _served() -> dict[str, tuple[str, str]]:
    """Group and version by their path."""
    groups = ((group, version) for group in _groups() for version in _versions(group))
    return {"api/v1": ("", "v1")} | {f"apis/{group}/{version}": (group, version) for group, version in groups}


def _group(group: str) -> Object:
    rows = [{"groupVersion": f"{group}/{version}", "version": version} for version in _versions(group)]
    return {"name": group, "versions": rows, "preferredVersion": rows[0]}


def _resources(group: str, version: str) -> Object | None:
    rows = [row for resource, kind in _kinds(group, version) for row in _rows(resource, kind)]
    if not rows:
        return None
    name = f"{group}/{version}" if group else version
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": name, "resources": rows}


def _kinds(group: str, version: str) -> list[tuple[Resource, Kind | None]]:
    """What one version of a group serves, by name; what is answered and not kept has no Kind."""
    kept: list[tuple[Resource, Kind | None]] = [
        (kind.resource, kind) for kind in KINDS.values() if (group, version) in {row[:2] for row in kind.served()}
    ]
    answered = [(review, None) for review in REVIEWS.values() if (review.group, review.version) == (group, version)]
    return sorted([*kept, *answered], key=lambda row: row[0].plural)


def _rows(resource: Resource, kind: Kind | None) -> Iterator[Object]:
    row: Object = {
        "name": resource.plural,
        "singularName": resource.kind.lower(),
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": _verbs(kind),
    }
    below = {**row, "singularName": ""}
    if kind and kind.short_names:
        row["shortNames"] = list(kind.short_names)
    if resource.plural in _CATEGORIES:
        row["categories"] = _CATEGORIES[resource.plural]
    yield row
    if kind and kind.status:
        yield {**below, "name": f"{resource.plural}/status", "verbs": _STATUS_VERBS}
    if resource is RESOURCES["pods"]:
        yield {**below, "name": "pods/binding", "kind": "Binding", "verbs": ["create"]}


def _verbs(kind: Kind | None) -> list[str]:
    if kind is None:
        return ["create"]
    # Namespaces are deleted one by one only.
    return [verb for verb in _VERBS if verb != "deletecollection" or kind.resource is not RESOURCES["namespaces"]]


def _discovered(group: str, version: str) -> Iterator[Object]:
    """The resources of one version as aggregated discovery has them: subresources in their resource."""
    for resource, kind in _kinds(group, version):
        row, *below = _rows(resource, kind)
        found: Object = {
            "resource": row["name"],
            "responseKind": _kind_of(group, version, row["kind"]),
            "scope": "Namespaced" if row["namespaced"] else "Cluster",
            "singularResource": row["singularName"],
            **{key: row[key] for key in ("verbs", "shortNames", "categories") if key in row},
        }
        if below:
            found["subresources"] = [
                {
                    "subresource": sub["name"].partition("/")[2],
                    "responseKind": _kind_of(group, version, sub["kind"]),
                    "verbs": sub["verbs"],
                }
                for sub in below
            ]
        yield found


def _kind_of(group: str, version: str, kind: str) -> Object:
    return {"group": group, "version": version, "kind": kind}
