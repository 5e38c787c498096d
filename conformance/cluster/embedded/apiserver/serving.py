"""Stored objects as they are served: in the version and the form that the request asks for."""

from collections.abc import Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import tables, writing
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.status import bad_request
from conformance.cluster.embedded.apiserver.types import find_struct

_INCLUDED = ("", "Metadata", "Object", "None")


def serve(info: RequestInfo, obj: Object) -> Object:
    """The object in the request's version and form; the stored one is not changed."""
    if info.form.name == "Table":
        return _table(info, [obj], {"resourceVersion": obj["metadata"].get("resourceVersion", "")})
    return _metadata(info, obj) if info.form.name else _whole(info, obj)


def serve_event(info: RequestInfo, obj: Object, *, first: bool) -> Object:
    """The object of a watch event; only the first table of a watch defines its columns."""
    served = serve(info, obj)
    if info.form.name == "Table" and not first:
        served["columnDefinitions"] = None
    return served


def serve_bookmark(info: RequestInfo, metadata: Object, *, first: bool) -> Object:
    """The object of a bookmark, which has metadata only."""
    obj: Object = {"metadata": metadata}
    if info.form.name == "Table":
        return {
            "kind": "Table",
            "apiVersion": info.form.api_version,
            "metadata": {"resourceVersion": metadata["resourceVersion"]},
            "columnDefinitions": tables.columns(info.kind.resource.kind) if first else None,
            "rows": [{"cells": [], "object": _metadata(info, obj)}],
        }
    if info.form.name:
        return _metadata(info, obj)
    resource = info.kind.resource
    struct = find_struct(resource.group_version(info.version), resource.kind)
    return _bare(info, writing.write(struct.full_name, obj) if struct else obj)


def serve_list(info: RequestInfo, objects: Sequence[Object], metadata: Object) -> Object:
    """A List of the objects, with its ListMeta."""
    form = info.form
    if form.name == "Table":
        return _table(info, objects, metadata)
    if form.name:
        head = {"kind": "PartialObjectMetadataList", "apiVersion": form.api_version}
        return {**head, "metadata": metadata, "items": [_metadata(info, obj) for obj in objects]}
    # Items of a list have no kind of their own.
    return {
        "kind": f"{info.kind.resource.kind}List",
        "apiVersion": info.kind.resource.group_version(info.version),
        "metadata": metadata,
        "items": [_bare(info, obj, head=False) for obj in objects],
    }


def to_stored(info: RequestInfo, obj: Object) -> Object:
    """An object that a client sent, in the stored layout."""
    return info.kind.versions[info.version].to_stored(obj)


def _whole(info: RequestInfo, obj: Object) -> Object:
    return _bare(info, info.kind.versions[info.version].from_stored(obj))


def _bare(info: RequestInfo, obj: Object, *, head: bool = True) -> Object:
    resource = info.kind.resource
    if not head:
        obj = info.kind.versions[info.version].from_stored(obj)
    names = {"kind": resource.kind, "apiVersion": resource.group_version(info.version)}
    return {**(names if head else {}), **{key: value for key, value in obj.items() if key not in names}}


def _metadata(info: RequestInfo, obj: Object) -> Object:
    return {"kind": "PartialObjectMetadata", "apiVersion": info.form.api_version, "metadata": obj["metadata"]}


def _table(info: RequestInfo, objects: Sequence[Object], metadata: Object) -> Object:
    kind, included = info.kind.resource.kind, info.query.get("includeObject", "")
    if included not in _INCLUDED:
        raise bad_request(f"unrecognized includeObject value: {included!r}")

    def row(obj: Object) -> dict[str, Any]:
        found: dict[str, Any] = {"cells": tables.cells(kind, obj)}
        if conditions := tables.conditions(kind, obj):
            found["conditions"] = conditions
        if included != "None":
            found["object"] = _whole(info, obj) if included == "Object" else _metadata(info, obj)
        return found

    return {
        "kind": "Table",
        "apiVersion": info.form.api_version,
        "metadata": metadata,
        "columnDefinitions": tables.columns(kind),
        "rows": [row(obj) for obj in objects],
    }
