"""The verbs: from a request to the store and back."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.binding import bind
from conformance.cluster.embedded.apiserver.bodies import answer, patch_kind, read_body, read_object
from conformance.cluster.embedded.apiserver.deleting import delete, delete_collection
from conformance.cluster.embedded.apiserver.listing import list_objects
from conformance.cluster.embedded.apiserver.managed import Manager
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.options import check_options
from conformance.cluster.embedded.apiserver.patch import Patch
from conformance.cluster.embedded.apiserver.reading import Reader, shown_patch, shown_patched
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.serving import serve, to_stored
from conformance.cluster.embedded.apiserver.store import Store

Handler = Callable[[Store, RequestInfo, Request], Awaitable[Response]]


async def get(store: Store, info: RequestInfo, _: Request) -> Response:
    """One object; its status subresource is the object, too."""
    return _answer(info, store.get(info.kind.resource.plural, info.name, info.namespace))


async def create(store: Store, info: RequestInfo, request: Request) -> Response:
    """A new object, or the binding of a pod."""
    check_options(info, "CreateOptions")
    if info.full_resource == "pods/binding":
        return answer(bind(store, info, await read_object(request, "Binding")), 201)
    reader = Reader(info)
    obj = await reader.object(request)
    created = store.create(
        info.kind.resource.plural,
        to_stored(info, obj),
        info.namespace,
        dry_run=info.dry_run,
        manager=_manager(info, request, "Update"),
    )
    return _answer(info, created, 201)


async def update(store: Store, info: RequestInfo, request: Request) -> Response:
    """An object, or its status, replaced."""
    check_options(info, "UpdateOptions")
    reader = Reader(info)
    obj = await reader.object(request)
    obj.setdefault("metadata", {})
    _check_name(info, obj)
    if info.namespace:
        # Another one was refused with the name.
        obj["metadata"]["namespace"] = info.namespace
    write = store.update_status if info.subresource else store.update
    manager = _manager(info, request, "Update")
    existed = store.exists(info.kind.resource.plural, info.name, info.namespace)
    new = write(info.kind.resource.plural, to_stored(info, obj), dry_run=info.dry_run, manager=manager)
    return _answer(info, new, 200 if existed else 201)


async def patch(store: Store, info: RequestInfo, request: Request) -> Response:
    """An object, or its status, patched; server-side apply creates what is not there."""
    kind = patch_kind(request)
    applies = kind == "apply"
    check_options(info, "PatchOptions", apply=applies)
    body = await read_body(request)
    reader, plural = Reader(info), info.kind.resource.plural

    def read(obj: Any) -> Object:
        if applies:
            found = reader.applied(obj)
            found["metadata"] = found.get("metadata") or {}
            if "name" not in found["metadata"] and store.exists(plural, info.name, info.namespace):
                # What is there keeps its name when none is applied.
                found["metadata"]["name"] = info.name
            if info.namespace and found["metadata"].get("namespace") is None:
                found["metadata"]["namespace"] = info.namespace
        else:
            found = reader.patched(obj, shown_patch(body) if kind == "strategic" else shown_patched(obj))
        _check_name(info, found)
        return found

    manager = _manager(info, request, "Apply" if applies else "Update")
    change = Patch(kind, body, manager, info.flag("force"), read)
    existed = store.exists(plural, info.name, info.namespace)
    new = store.patch(plural, info.name, change, info.namespace, subresource=info.subresource, dry_run=info.dry_run)
    return _answer(info, new, 200 if existed else 201)


HANDLERS: dict[str, Handler] = {
    "get": get,
    "list": list_objects,
    "create": create,
    "update": update,
    "patch": patch,
    "delete": delete,
    "deletecollection": delete_collection,
}


def _answer(info: RequestInfo, obj: Object, code: int = 200) -> Response:
    return answer(serve(info, obj), code, media_type=info.form.media_type)


def _check_name(info: RequestInfo, obj: Object) -> None:
    namespace = (obj.get("metadata") or {}).get("namespace", "")
    if info.namespace and namespace not in ("", info.namespace):
        raise status.bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
    given = (obj.get("metadata") or {}).get("name", "")
    if not given:
        text = f"the name of the object ({info.name} based on URL) was undeterminable: name must be provided"
        raise status.bad_request(text)
    if given != info.name:
        raise status.bad_request(f"the name of the object ({given}) does not match the name on the URL ({info.name})")


def _manager(info: RequestInfo, request: Request, operation: str) -> Manager:
    agent = request.headers.get("user-agent", "unknown").partition("/")[0]
    version = info.kind.resource.group_version(info.version)
    name, reaches = info.query.get("fieldManager") or agent, info.kind.status_metadata
    return Manager(name, operation, version, info.subresource, reaches_metadata=reaches)
