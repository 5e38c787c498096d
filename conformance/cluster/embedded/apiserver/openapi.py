"""OpenAPI v3, one document a version of a group, made from the table of types: what kubectl explains and checks by."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from conformance.cluster.embedded.apiserver.kinds import KINDS, Kind
from conformance.cluster.embedded.apiserver.types import Field, Struct, find_struct, struct_of

Object = dict[str, Any]

_META = "io.k8s.apimachinery.pkg.apis.meta.v1"
_API = "io.k8s.api"
_PACKAGES = {"v1": "core.v1", "meta/v1": ""}
_LEAVES: dict[str, Object] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
    "bytes": {"type": "string", "format": "byte"},
}
_NAMED: dict[str, tuple[str, Object]] = {
    "quantity": ("io.k8s.apimachinery.pkg.api.resource.Quantity", {"oneOf": [{"type": "string"}, {"type": "number"}]}),
    "time": (f"{_META}.Time", {"type": "string", "format": "date-time"}),
    "microtime": (f"{_META}.MicroTime", {"type": "string", "format": "date-time"}),
    "raw": ("io.k8s.apimachinery.pkg.runtime.RawExtension", {"type": "object"}),
    "fields": (f"{_META}.FieldsV1", {"type": "object"}),
    "intstr": ("io.k8s.apimachinery.pkg.util.intstr.IntOrString", {"type": "string", "format": "int-or-string"}),
}
_PATCHES = ("apply-patch+yaml", "json-patch+json", "merge-patch+json", "strategic-merge-patch+json")
_WRITES = ("dryRun", "fieldManager", "fieldValidation")


@cache
def openapi(group: str, version: str) -> Object:
    """The document of one version of a group ("" for the core group)."""
    base = f"/apis/{group}/{version}" if group else f"/api/{version}"
    schemas: Object = dict(_NAMED.values())
    paths: Object = {}
    for kind in KINDS.values():
        if (group, version) not in {row[:2] for row in kind.served()}:
            continue
        struct = find_struct(f"{group}/{version}" if group else version, kind.resource.kind)
        if struct is not None:
            _add(schemas, struct)
            _name_kind(schemas, struct, group, version)
        paths |= _paths(kind, struct, base, {"group": group, "version": version, "kind": kind.resource.kind})
    _add(schemas, struct_of("meta/v1.DeleteOptions"))
    return {
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": "1.37"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _schema_name(struct: Struct) -> str:
    if struct.version == "meta/v1":
        return f"{_META}.{struct.name}"
    group, _, version = struct.version.rpartition("/")
    return f"{_API}.{group.partition('.')[0] or 'core'}.{version}.{struct.name}"


def _add(schemas: Object, struct: Struct) -> None:
    """The schema of a struct and of all that it holds."""
    name = _schema_name(struct)
    if name in schemas:
        return
    schema: Object = {"type": "object", "properties": {}}
    schemas[name] = schema
    for row in struct.fields.values():
        schema["properties"][row.name] = {**_value(schemas, row), **_merging(row)}
    required = [row.name for row in struct.fields.values() if "required" in row.words]
    if required:
        schema["required"] = required
    if struct.atomic:
        schema["x-kubernetes-map-type"] = "atomic"


def _value(schemas: Object, row: Field) -> Object:
    if row.is_list:
        return {"type": "array", "items": _value(schemas, row.item)}
    if row.is_map:
        return {"type": "object", "additionalProperties": _value(schemas, row.item)}
    if row.kind in _NAMED:
        return _reference(_NAMED[row.kind][0])
    if row.struct is not None:
        struct = struct_of(row.struct)
        _add(schemas, struct)
        return _reference(_schema_name(struct))
    enum = row.words.get("enum")
    return {**_LEAVES[row.kind], **({"enum": enum.split("|")} if enum else {})}


def _reference(name: str) -> Object:
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}]}


def _merging(row: Field) -> Object:
    words: Object = {}
    if row.is_list and row.keys:
        words |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(row.keys)}
    elif row.is_list and (row.keys is not None or row.atomic):
        words["x-kubernetes-list-type"] = "atomic" if row.keys is None else "set"
    elif row.is_map and row.atomic:
        words["x-kubernetes-map-type"] = "atomic"
    strategies = (["merge"] if row.merge is not None else []) + (["retainKeys"] if "retainKeys" in row.words else [])
    if strategies:
        words["x-kubernetes-patch-strategy"] = ",".join(strategies)
    if row.merge:
        words["x-kubernetes-patch-merge-key"] = row.merge[0]
    return words


def _name_kind(schemas: Object, struct: Struct, group: str, version: str) -> None:
    schema = schemas[_schema_name(struct)]
    head = {name: {"type": "string"} for name in ("apiVersion", "kind")}
    schema["properties"] = {**head, **schema["properties"]}
    schema["x-kubernetes-group-version-kind"] = [{"group": group, "version": version, "kind": struct.name}]


def _paths(kind: Kind, struct: Struct | None, base: str, about: Object) -> Object:
    resource = kind.resource
    below = f"{base}/namespaces/{{namespace}}" if resource.namespaced else base
    one = f"{below}/{resource.plural}/{{name}}"
    schema = _reference(_schema_name(struct))["allOf"][0] if struct else {"type": "object"}

    def operation(action: str, parameters: Iterable[str] = (), body: Object | None = None) -> Object:
        return {
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": about,
            "parameters": [{"name": name, "in": "query", "schema": {"type": "string"}} for name in parameters],
            **({"requestBody": {"content": body}} if body else {}),
            "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}},
        }

    written = {"*/*": {"schema": schema}}
    patched = {f"application/{name}": {"schema": {"type": "object"}} for name in _PATCHES}
    item = {
        "get": operation("get"),
        "put": operation("put", _WRITES, written),
        "patch": operation("patch", (*_WRITES, "force"), patched),
    }
    paths = {
        f"{below}/{resource.plural}": {"get": operation("list"), "post": operation("post", _WRITES, written)},
        one: {**item, "delete": operation("delete", ("dryRun",))},
    }
    if kind.status:
        paths[f"{one}/status"] = item
    if resource.namespaced:
        paths[f"{base}/{resource.plural}"] = {"get": operation("list")}
    return paths
