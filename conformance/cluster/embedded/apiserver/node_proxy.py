"""nodes/<name>/proxy/…: pages of a node's kubelet, such as its metrics (pkg/registry/core/node/rest)."""

import asyncio

import urllib3
from starlette.responses import Response

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.store import Store

_TIMEOUT = 10.0  # seconds
_POOL = urllib3.PoolManager(maxsize=1, retries=False)


async def node_page(store: Store, info: RequestInfo) -> Response:
    """What the kubelet answers to the rest of the path. Raises NotFound, or ApiError 503 where there is no kubelet."""
    port = dig(store.get("nodes", info.name), "status.daemonEndpoints.kubeletEndpoint.Port")
    page = info.path.partition(f"/nodes/{info.name}/proxy")[2] or "/"
    try:
        answer = await asyncio.to_thread(_POOL.request, "GET", f"http://127.0.0.1:{port}{page}", timeout=_TIMEOUT)
    except urllib3.exceptions.HTTPError as error:
        text = f"error trying to reach service: {error}"
        raise status.failure(503, "ServiceUnavailable", text) from None
    return Response(answer.data, answer.status, media_type=answer.headers.get("Content-Type"))
