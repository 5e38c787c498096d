"""DELETE: one object, or all that selectors match."""

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.bodies import answer, read_body
from conformance.cluster.embedded.apiserver.decoding import Decoding, decode
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, not_supported
from conformance.cluster.embedded.apiserver.list_options import check_list_options
from conformance.cluster.embedded.apiserver.options import dry_run_errors
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.serving import serve, serve_list
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.apiserver.types import struct_of

Options = dict[str, Any]

_ANSWERED_WITH_STATUS = ("configmaps", "secrets", "events", "nodes", "leases", "devicetaintrules")
_POLICIES = ("Foreground", "Background", "Orphan")
_BY_FLAG = {True: "Orphan", False: "Background"}


async def delete(store: Store, info: RequestInfo, request: Request) -> Response:
    """One object; the answer is the object as it last was, or that it is gone."""
    options = await _options(info, request)
    conditions = options.get("preconditions") or {}
    gone = store.delete(
        info.kind.resource.plural,
        info.name,
        info.namespace,
        grace_period_seconds=options.get("gracePeriodSeconds"),
        uid=conditions.get("uid"),
        resource_version=conditions.get("resourceVersion"),
        propagation=options.get("propagationPolicy", ""),
        dry_run=bool(options.get("dryRun")),
    )
    plural = info.kind.resource.plural
    held = "deletionTimestamp" in gone["metadata"] and store.exists(plural, info.name, info.namespace)
    # Older versions of a kind answer as they always did.
    if plural in _ANSWERED_WITH_STATUS and "beta" not in info.version and not held:
        about = status.success(info.kind.resource, info.name)
        about["details"]["uid"] = gone["metadata"]["uid"]
        return answer(about, media_type=info.form.media_type)
    # Only who asked for it in the old way is told that the object is still there.
    code = 202 if held and options.get("orphanDependents") is False else 200
    return answer(serve(info, gone), code, media_type=info.form.media_type)


async def delete_collection(store: Store, info: RequestInfo, request: Request) -> Response:
    """All objects that the selectors match."""
    check_list_options(info)
    options = await _options(info, request)
    gone = store.delete_collection(
        info.kind.resource.plural,
        info.namespace,
        label_selector=info.query.get("labelSelector", ""),
        field_selector=info.query.get("fieldSelector", ""),
        grace_period_seconds=options.get("gracePeriodSeconds"),
        propagation=options.get("propagationPolicy", ""),
        dry_run=bool(options.get("dryRun")),
    )
    return answer(serve_list(info, gone, {"resourceVersion": str(store.resource_version)}))


async def _options(info: RequestInfo, request: Request) -> Options:
    """DeleteOptions of the body; without one, of the query. Raises BadRequest, Invalid."""
    body = await read_body(request)
    if body is not None and not isinstance(body, dict):
        raise status.bad_request("decoded object cannot be converted to DeleteOptions")
    if body and body.get("kind", "DeleteOptions") != "DeleteOptions":
        text = f'no kind "{body["kind"]}" is registered for version "{body.get("apiVersion", "")}" in scheme'
        raise status.bad_request(text)
    decoding = Decoding('DeleteOptions in version "v1"')
    options = decode(struct_of("meta/v1.DeleteOptions"), body or _of_query(info), decoding)
    errors = list(_errors(options))
    if errors:
        raise status.invalid_options("DeleteOptions", errors)
    if "orphanDependents" in options:
        options["propagationPolicy"] = _BY_FLAG[options["orphanDependents"]]
    return options


def _of_query(info: RequestInfo) -> Options:
    options: Options = {}
    seconds = info.query.get("gracePeriodSeconds", "")
    if seconds:
        if not (seconds.isascii() and seconds.removeprefix("-").isdecimal()):
            raise status.bad_request(f'strconv.ParseInt: parsing "{seconds}": invalid syntax')
        options["gracePeriodSeconds"] = int(seconds)
    if info.query.get("propagationPolicy"):
        options["propagationPolicy"] = info.query["propagationPolicy"]
    if "orphanDependents" in info.query:
        options["orphanDependents"] = info.flag("orphanDependents")
    if info.dry_run:
        options["dryRun"] = [info.query["dryRun"]]
    return options


def _errors(options: Options) -> Iterator[FieldError]:
    policy = options.get("propagationPolicy")
    if policy is not None and "orphanDependents" in options:
        yield invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set")
    if policy is not None and policy not in _POLICIES:
        yield not_supported("propagationPolicy", policy, [*_POLICIES, "nil"])
    yield from dry_run_errors(options.get("dryRun") or [])
