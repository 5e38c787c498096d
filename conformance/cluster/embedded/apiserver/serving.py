"""Stored objects as they are served: in the version that the request asks for."""

from collections.abc import Sequence

from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.request import RequestInfo


def serve(info: RequestInfo, obj: Object) -> Object:
    """The object in the request's version; the stored one is not changed."""
    kind = info.kind
    converted = kind.versions[info.version].from_stored(obj)
    head = {"kind": kind.resource.kind, "apiVersion": kind.resource.group_version(info.version)}
    return {**head, **{key: value for key, value in converted.items() if key not in head}}


def serve_list(info: RequestInfo, objects: Sequence[Object], version: int) -> Object:
    """A List of the objects."""
    return {
        "kind": f"{info.kind.resource.kind}List",
        "apiVersion": info.kind.resource.group_version(info.version),
        "metadata": {"resourceVersion": str(version)},
        "items": [serve(info, obj) for obj in objects],
    }


def to_stored(info: RequestInfo, obj: Object) -> Object:
    """An object that a client sent, in the stored layout."""
    return info.kind.versions[info.version].to_stored(obj)
