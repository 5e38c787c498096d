"""What clients ask first: version, API groups, resources and a minimal OpenAPI document."""

from functools import cache
from typing import Any

from conformance.cluster.embedded.apiserver.kinds import KINDS, Kind
from conformance.cluster.resources import RESOURCES

Object = dict[str, Any]

VERSION = "v1.37.2"
_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
_ORDER = ("v1", "v1beta2", "v1beta1")
HEALTH = ("/healthz", "/readyz", "/livez")


def document(path: str) -> Object | None:
    """The JSON document under a path; None when there is none."""
    parts = [part for part in path.split("/") if part]
    if parts == ["version"]:
        return _version()
    if parts == ["api"]:
        return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}
    if parts == ["apis"]:
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(group) for group in _groups()]}
    if len(parts) == 2 and parts[0] == "apis" and parts[1] in _groups():
        return {"kind": "APIGroup", "apiVersion": "v1", **_group(parts[1])}
    if len(parts) == 2 and parts[0] == "api":
        return _resources("", parts[1])
    if len(parts) == 3 and parts[0] == "apis":
        return _resources(parts[1], parts[2])
    return _openapi(parts)


def _version() -> Object:
    major, minor, _ = VERSION.removeprefix("v").split(".")
    return {
        "major": major,
        "minor": minor,
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
    return tuple(dict.fromkeys(kind.resource.group for kind in KINDS.values() if kind.resource.group))


def _versions(group: str) -> list[str]:
    served = {version for kind in KINDS.values() if kind.resource.group == group for version in kind.versions}
    return [version for version in _ORDER if version in served]


def _group(group: str) -> Object:
    rows = [{"groupVersion": f"{group}/{version}", "version": version} for version in _versions(group)]
    return {"name": group, "versions": rows, "preferredVersion": rows[0]}


def _resources(group: str, version: str) -> Object | None:
    kinds = [kind for kind in KINDS.values() if kind.resource.group == group and version in kind.versions]
    if not kinds:
        return None
    rows = [row for kind in kinds for row in _rows(kind)]
    name = f"{group}/{version}" if group else version
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": name, "resources": rows}


def _rows(kind: Kind) -> list[Object]:
    resource = kind.resource
    row: Object = {
        "name": resource.plural,
        "singularName": resource.kind.lower(),
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": _VERBS,
    }
    below = {**row, "singularName": ""}
    if kind.short_names:
        row["shortNames"] = list(kind.short_names)
    rows = [row]
    if kind.status:
        rows.append({**below, "name": f"{resource.plural}/status", "verbs": ["get", "patch", "update"]})
    if resource is RESOURCES["pods"]:
        rows.append({**below, "name": "pods/binding", "kind": "Binding", "verbs": ["create"]})
    return rows


def _openapi(parts: list[str]) -> Object | None:
    info = {"title": "Kubernetes", "version": VERSION}
    if parts == ["openapi", "v2"]:
        return {"swagger": "2.0", "info": info, "paths": {}, "definitions": {}}
    served = {f"apis/{group}/{version}": group for group in _groups() for version in _versions(group)} | {"api/v1": ""}
    if parts == ["openapi", "v3"]:
        return {"paths": {path: {"serverRelativeURL": f"/openapi/v3/{path}"} for path in served}}
    path = "/".join(parts[2:])
    if parts[:2] == ["openapi", "v3"] and path in served:
        return {"openapi": "3.0.0", "info": info, "paths": _patches(served[path], path)}
    return None


def _patches(group: str, base: str) -> Object:
    """One patch operation a kind: where kubectl looks whether the server validates fields."""
    version = base.rpartition("/")[2]
    paths: Object = {}
    for kind in KINDS.values():
        if kind.resource.group == group and version in kind.versions:
            path = f"/{base}/namespaces/{{namespace}}" if kind.resource.namespaced else f"/{base}"
            paths[f"{path}/{kind.resource.plural}/{{name}}"] = {
                "patch": {
                    "x-kubernetes-action": "patch",
                    "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": kind.resource.kind},
                    "parameters": [
                        {"name": name, "in": "query", "schema": {"type": "string"}}
                        for name in ("dryRun", "fieldManager", "fieldValidation", "force")
                    ],
                    "responses": {"200": {"description": "OK"}},
                }
            }
    return paths
