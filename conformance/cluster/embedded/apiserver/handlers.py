"""The verbs: from a request to the store and back."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.bodies import answer, patch_kind, read_body, read_object
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.serving import serve, serve_list, to_stored
from conformance.cluster.embedded.apiserver.store import Store

Handler = Callable[[Store, RequestInfo, Request], Awaitable[Response]]


async def get(store: Store, info: RequestInfo, _: Request) -> Response:
    """One object; its status subresource is the object, too."""
    _only(info, "", "status")
    return answer(serve(info, store.get(info.kind.resource.plural, info.name, info.namespace)))


async def list_objects(store: Store, info: RequestInfo, _: Request) -> Response:
    """A collection; it is never cut into pages."""
    plural, query = info.kind.resource.plural, info.query
    labels, fields = query.get("labelSelector", ""), query.get("fieldSelector", "")
    objects, version = store.view(plural, store.selection(plural, info.namespace, labels, fields))
    return answer(serve_list(info, objects, version))


async def create(store: Store, info: RequestInfo, request: Request) -> Response:
    """A new object, or the binding of a pod."""
    obj = await read_object(request)
    if info.full_resource == "pods/binding":
        store.bind(info.name, info.namespace, str((obj.get("target") or {}).get("name", "")))
        return answer(status.success(info.kind.resource, info.name), 201)
    _only(info, "")
    _check_kind(info, obj)
    created = store.create(
        info.kind.resource.plural, to_stored(info, obj), info.namespace, strict=_strict(info), dry_run=_dry_run(info)
    )
    return answer(serve(info, created), 201)


async def update(store: Store, info: RequestInfo, request: Request) -> Response:
    """An object, or its status, replaced."""
    _only(info, "", *(["status"] if info.kind.status else []))
    obj = await read_object(request)
    _check_kind(info, obj)
    if obj.setdefault("metadata", {}).get("name") != info.name:
        given = obj["metadata"].get("name", "")
        raise status.bad_request(f"the name of the object ({given}) does not match the name on the URL ({info.name})")
    if info.namespace:
        obj["metadata"].setdefault("namespace", info.namespace)
    write = store.update_status if info.subresource else store.update
    new = write(info.kind.resource.plural, to_stored(info, obj), strict=_strict(info), dry_run=_dry_run(info))
    return answer(serve(info, new))


async def patch(store: Store, info: RequestInfo, request: Request) -> Response:
    """An object, or its status, patched; server-side apply creates what is not there."""
    _only(info, "", *(["status"] if info.kind.status else []))
    kind = patch_kind(request)
    body = await read_body(request)
    plural = info.kind.resource.plural
    existed = store.exists(plural, info.name, info.namespace)
    new = store.patch(
        plural,
        info.name,
        to_stored(info, body) if kind == "apply" else body,
        info.namespace,
        kind=kind,
        subresource=info.subresource,
        manager=info.query.get("fieldManager") or _agent(request),
        strict=_strict(info),
        dry_run=_dry_run(info),
    )
    return answer(serve(info, new), 200 if existed else 201)


async def delete(store: Store, info: RequestInfo, request: Request) -> Response:
    """One object; the answer is the object as it last was."""
    _only(info, "")
    options = await _delete_options(info, request)
    conditions = options.get("preconditions") or {}
    gone = store.delete(
        info.kind.resource.plural,
        info.name,
        info.namespace,
        grace_period_seconds=options.get("gracePeriodSeconds"),
        uid=conditions.get("uid"),
        resource_version=conditions.get("resourceVersion"),
        dry_run=_dry_run(info) or bool(options.get("dryRun")),
    )
    return answer(serve(info, gone))


async def delete_collection(store: Store, info: RequestInfo, request: Request) -> Response:
    """All objects that the selectors match."""
    await _delete_options(info, request)
    gone = store.delete_collection(
        info.kind.resource.plural,
        info.namespace,
        label_selector=info.query.get("labelSelector", ""),
        field_selector=info.query.get("fieldSelector", ""),
    )
    return answer(serve_list(info, gone, store.resource_version))


HANDLERS: dict[str, Handler] = {
    "get": get,
    "list": list_objects,
    "create": create,
    "update": update,
    "patch": patch,
    "delete": delete,
    "deletecollection": delete_collection,
}


async def _delete_options(info: RequestInfo, request: Request) -> dict[str, Any]:
    options = await read_body(request) or {}
    if not isinstance(options, dict):
        raise status.bad_request("DeleteOptions must be an object")
    seconds = info.query.get("gracePeriodSeconds", "")
    if seconds.isdecimal():
        options["gracePeriodSeconds"] = int(seconds)
    return options


def _only(info: RequestInfo, *subresources: str) -> None:
    if info.subresource not in subresources:
        raise status.no_such_path()


def _check_kind(info: RequestInfo, obj: dict[str, Any]) -> None:
    wanted = (info.kind.resource.kind, info.kind.resource.group_version(info.version))
    given = (obj.get("kind") or wanted[0], obj.get("apiVersion") or wanted[1])
    if given != wanted:
        raise status.bad_request(
            f"{given[0]} in version {given[1]!r} cannot be handled as a {wanted[0]} in version {wanted[1]!r}"
        )


def _strict(info: RequestInfo) -> bool:
    return info.query.get("fieldValidation") == "Strict"


def _dry_run(info: RequestInfo) -> bool:
    return bool(info.query.get("dryRun"))


def _agent(request: Request) -> str:
    return request.headers.get("user-agent", "unknown").partition("/")[0]
