"""LIST: a collection, whole or in pages, of now or of the state that the client knows."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from conformance.cluster.api_errors import Expired
from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.bodies import answer
from conformance.cluster.embedded.apiserver.list_options import Page, check_list_options, number
from conformance.cluster.embedded.apiserver.objects import Object, key_of
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.serving import serve_list
from conformance.cluster.embedded.apiserver.store import Store


async def list_objects(store: Store, info: RequestInfo, _: Request) -> Response:
    """A collection."""
    check_list_options(info)
    limit, page = number(info, "limit"), _page(info)
    objects, version = _state(store, info, page)
    metadata: dict[str, Any] = {"resourceVersion": str(version)}
    if 0 < limit < len(objects):
        rest = len(objects) - limit
        objects = objects[:limit]
        metadata["continue"] = Page(version, key_of(objects[-1])).token()
        if not (info.query.get("labelSelector") or info.query.get("fieldSelector")):
            metadata["remainingItemCount"] = rest
    return answer(serve_list(info, objects, metadata), media_type=info.form.media_type)


def _page(info: RequestInfo) -> Page | None:
    token = info.query.get("continue", "")
    if not token:
        return None
    if info.query.get("resourceVersion", "") not in ("", "0"):
        raise status.bad_request("specifying resource version is not allowed when using continue")
    return Page.of(token)


def _state(store: Store, info: RequestInfo, page: Page | None) -> tuple[list[Object], int]:
    plural, query = info.kind.resource.plural, info.query
    selection = store.selection(plural, info.namespace, query.get("labelSelector", ""), query.get("fieldSelector", ""))
    if page is not None:
        try:
            objects, version = store.view(plural, selection, page.version)
        except Expired:
            raise status.expired_page(Page(None, page.after).token()) from None
        return [obj for obj in objects if key_of(obj) > page.after], version
    wanted, match = int(query.get("resourceVersion") or 0), query.get("resourceVersionMatch", "")
    if wanted > store.resource_version:
        raise status.too_large_version(wanted, store.resource_version)
    # A limit makes a version exact that nothing is said of.
    exact = match == "Exact" or (not match and wanted and number(info, "limit"))
    return store.view(plural, selection, wanted if exact else None)
