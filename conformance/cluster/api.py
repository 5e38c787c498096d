"""A small client of the Kubernetes API: JSON over HTTPS, safe to share between threads."""

import json
import ssl
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import urllib3

from conformance.cluster.api_errors import (
    AlreadyExists,
    ApiError,
    BadRequest,
    Conflict,
    Expired,
    Forbidden,
    Invalid,
    NotFound,
    Unauthorized,
    Unreachable,
)
from conformance.cluster.kubeconfig import Access, read_kubeconfig
from conformance.cluster.resources import RESOURCES, Resource
from conformance.cluster.watching import Watching
from conformance.history import History

__all__ = [
    "RESOURCES",
    "AlreadyExists",
    "Api",
    "ApiError",
    "BadRequest",
    "Conflict",
    "Expired",
    "Forbidden",
    "Invalid",
    "NotFound",
    "Object",
    "Resource",
    "Unauthorized",
    "Unreachable",
]

Object = dict[str, Any]

_PATCH_TYPES = {
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "json": "application/json-patch+json",
    "apply": "application/apply-patch+yaml",
}
# An idle connection that the server closes at that very moment is not a failure: reading may be tried once more.
_ONCE_MORE = urllib3.Retry(
    total=1, connect=0, redirect=0, status=0, other=0, allowed_methods=("GET",), respect_retry_after_header=False
)
_TIMEOUT = urllib3.Timeout(connect=5, read=30)


class Api:
    """Client of one API server for one identity. Environment variables for proxies and CA bundles do not count.

    Resources are named by their plural (`RESOURCES`). Every method raises ApiError, or the subclass for the reason.
    """

    def __init__(
        self,
        server: str,
        ca_file: Path | None,
        token: str | None = None,
        history: History | None = None,
        *,
        access: Access | None = None,
    ) -> None:
        self.server = server.rstrip("/")
        self.history = history
        access = access or Access(server, ca_file, token)
        self._headers = {"Accept": "application/json", "User-Agent": "dra-conformance"}
        if access.token:
            self._headers["Authorization"] = f"Bearer {access.token}"
        self._pool = urllib3.PoolManager(
            num_pools=2, maxsize=64, block=False, ssl_context=access.ssl_context(), timeout=_TIMEOUT
        )

    @classmethod
    def from_kubeconfig(cls, path: Path) -> "Api":
        """The API server and identity of a kubeconfig's current context. Raises ValueError when it names none."""
        access = read_kubeconfig(path)
        return cls(access.server, access.ca_file, access.token, access=access)

    def get(self, resource: str, name: str, namespace: str | None = None) -> Object:
        """One object. Raises NotFound."""
        return self.request("GET", RESOURCES[resource].path(namespace, name))

    def list(
        self, resource: str, namespace: str | None = None, *, label_selector: str = "", field_selector: str = ""
    ) -> Object:
        """The List object: `items`, and `metadata.resourceVersion` to watch from. No namespace: all of them."""
        query = {"labelSelector": label_selector, "fieldSelector": field_selector}
        return self.request("GET", RESOURCES[resource].path(namespace), query=query)

    def create(self, resource: str, obj: Object, namespace: str | None = None, *, version: str | None = None) -> Object:
        """The object as stored. `version` is another version of the resource's group than the usual one."""
        row = RESOURCES[resource]
        namespace = namespace or obj.get("metadata", {}).get("namespace")
        body = {"apiVersion": row.group_version(version or row.version), "kind": row.kind, **obj}
        return self.request("POST", row.path(namespace, version=version), body=body)

    def replace(self, resource: str, obj: Object) -> Object:
        """The object as stored; its status is left as it is. Raises Conflict when resourceVersion is an old one."""
        return self._put(resource, obj, "")

    def replace_status(self, resource: str, obj: Object) -> Object:
        """Replace only the status. Raises Conflict when resourceVersion is an old one."""
        return self._put(resource, obj, "/status")

    def _put(self, resource: str, obj: Object, subresource: str) -> Object:
        row, meta = RESOURCES[resource], obj["metadata"]
        body = {"apiVersion": row.api_version, "kind": row.kind, **obj}
        return self.request("PUT", row.path(meta.get("namespace"), meta["name"]) + subresource, body=body)

    def patch(
        self,
        resource: str,
        name: str,
        patch: Any,
        namespace: str | None = None,
        *,
        kind: str = "merge",
        subresource: str = "",
        field_manager: str = "dra-conformance",
    ) -> Object:
        """The object after a merge, strategic or JSON patch, or a server-side apply (`kind`)."""
        path = RESOURCES[resource].path(namespace, name) + (f"/{subresource}" if subresource else "")
        query = {"fieldManager": field_manager, "force": "true" if kind == "apply" else ""}
        return self.request("PATCH", path, query=query, body=patch, content_type=_PATCH_TYPES[kind])

    def delete(
        self,
        resource: str,
        name: str,
        namespace: str | None = None,
        *,
        grace_period_seconds: int | None = None,
        uid: str | None = None,
    ) -> Object:
        """Ask for deletion; what comes back is the object or a Status. With `uid` only that very object is deleted."""
        options: Object = {"apiVersion": "v1", "kind": "DeleteOptions"}
        if grace_period_seconds is not None:
            options["gracePeriodSeconds"] = grace_period_seconds
        if uid is not None:
            options["preconditions"] = {"uid": uid}
        return self.request("DELETE", RESOURCES[resource].path(namespace, name), body=options)

    def delete_collection(
        self, resource: str, namespace: str | None = None, *, field_selector: str = "", label_selector: str = ""
    ) -> None:
        """Delete all objects that the selectors match."""
        query = {"labelSelector": label_selector, "fieldSelector": field_selector}
        self.request("DELETE", RESOURCES[resource].path(namespace), query=query)

    def watch(
        self,
        resource: str,
        namespace: str | None = None,
        *,
        resource_version: str = "",
        field_selector: str = "",
        stop: threading.Event,
    ) -> Generator[tuple[str, Object], None, None]:
        """(ADDED | MODIFIED | DELETED, object), beginning with what is there as ADDED, until `stop` is set.

        With a resource_version only what came after it. Broken connections are made again without a gap; objects that
        were deleted during a longer one come as DELETED. Raises ApiError when the watch is refused.
        """
        query = {"fieldSelector": field_selector}
        return Watching(self._open, RESOURCES[resource].path(namespace), query, resource_version, stop).events()

    def bind(self, pod: str, namespace: str, node: str) -> None:
        """Bind a pod to a node, as a scheduler does."""
        body = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": pod, "namespace": namespace},
            "target": {"apiVersion": "v1", "kind": "Node", "name": node},
        }
        self.request("POST", RESOURCES["pods"].path(namespace, pod) + "/binding", body=body)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, str] | None = None,
        body: Any = None,
        content_type: str = "application/json",
    ) -> Object:
        """Any request; the JSON object that came back. `path` begins with a slash."""
        response = self._open(method, path, query or {}, body=body, content_type=content_type)
        return _decode(response.status, response.data)

    def _open(
        self,
        method: str,
        path: str,
        query: dict[str, str],
        *,
        body: Any = None,
        content_type: str = "application/json",
        stream: bool = False,
        timeout: urllib3.Timeout = _TIMEOUT,
    ) -> urllib3.BaseHTTPResponse:
        filled = urlencode({key: value for key, value in query.items() if value})
        url = f"{self.server}{path}" + (f"?{filled}" if filled else "")
        data = None if body is None else json.dumps(body).encode()
        headers = self._headers if body is None else {**self._headers, "Content-Type": content_type}
        try:
            return self._pool.request(
                method,
                url,
                body=data,
                headers=headers,
                preload_content=not stream,
                timeout=timeout,
                redirect=False,
                retries=_ONCE_MORE if method == "GET" and not stream else False,
            )
        except (urllib3.exceptions.HTTPError, ssl.SSLError, OSError) as error:
            raise _unreachable(method, url, error) from error

    def close(self) -> None:
        """Close all idle connections."""
        self._pool.clear()


def _unreachable(method: str, url: str, error: Exception) -> Unreachable:
    message = f"{method} {url}: {error}"
    return Unreachable({"kind": "Status", "code": 503, "reason": "Unreachable", "message": message})


def _decode(status: int, data: bytes) -> Object:
    try:
        body = json.loads(data)
    except ValueError:
        body = {"message": data.decode(errors="replace").strip()}
    if not isinstance(body, dict):
        body = {"message": str(body)}
    if status >= 400:
        reason = "NotFound" if status == 404 else ""  # for what is not there at all it is a plain text
        raise ApiError.of({"kind": "Status", "reason": reason, **body, "code": body.get("code") or status})
    return body
