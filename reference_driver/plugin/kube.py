"""A thin Kubernetes REST client on urllib3: get, list, watch, create, update, apply, delete.

The official client takes half a second to import, at every start of the plugin; this one takes 60 ms. Proxies and CA
bundles of the environment are left aside on purpose: a plugin talks to its own cluster only.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import urllib3
from urllib3.exceptions import HTTPError

from . import metrics
from .connections import Connections, Response
from .credentials import Credentials
from .errors import KubeError, NotFound, PluginError, kube_error

Object = dict[str, Any]
_Answer = TypeVar("_Answer", Response, urllib3.BaseHTTPResponse)

_TIMEOUT = 10.0  # seconds for an ordinary request
_WATCH_SECONDS = 240  # asked of the server; the read time-out is longer, so that only a dead peer meets it
_RESOURCE_VERSIONS = ("v1", "v1beta2")  # of resource.k8s.io, newest first; both have the same layout


class KubeClient:
    """Requests to one API server; safe for use from several threads.

    Every method raises KubeError or one of its kinds; status 0 means that no answer came.
    """

    def __init__(self, credentials: Credentials, timeout: float = _TIMEOUT) -> None:
        url = urllib3.util.parse_url(credentials.server)
        context = credentials.ssl_context() if url.scheme == "https" else None
        self._pool = Connections(url, context, timeout)
        self._prefix = (url.path or "").rstrip("/")
        self._credentials = credentials
        self._token = credentials.bearer()
        self._resource_group = ""

    def get(self, path: str, timeout: float | None = None) -> Object:
        """The object at `path`; `timeout` in seconds."""
        return self._call("GET", path, timeout=timeout)

    def list(self, path: str, **query: str) -> Object:
        """The List object at `path`; `query` holds fieldSelector and the like."""
        return self._call("GET", path, query)

    def create(self, path: str, obj: Object) -> Object:
        """POST; the object as stored."""
        return self._call("POST", path, body=obj)

    def update(self, path: str, obj: Object) -> Object:
        """PUT; Conflict when metadata.resourceVersion is no longer the current one."""
        return self._call("PUT", path, body=obj)

    def apply(self, path: str, obj: Object, manager: str) -> Object:
        """Server-side apply under the field manager's name, also of what others have set; the object as stored."""
        query = {"fieldManager": manager, "force": "true"}
        return self._call("PATCH", path, query, obj)

    def delete(self, path: str, uid: str = "", resource_version: str = "") -> None:
        """DELETE, only if the object still has this UID and resource version."""
        wanted = {"uid": uid, "resourceVersion": resource_version}
        preconditions = {key: value for key, value in wanted.items() if value}
        body = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": preconditions}
        self._call("DELETE", path, body=body)

    def watch(self, path: str, resource_version: str, **query: str) -> "Watch":
        """Changes after `resource_version`, until the server ends the watch or it is closed."""
        query |= {"watch": "true", "allowWatchBookmarks": "true", "timeoutSeconds": str(_WATCH_SECONDS)}
        query["resourceVersion"] = resource_version
        timeout = urllib3.Timeout(connect=_TIMEOUT, read=_WATCH_SECONDS + 60)
        target, headers = self._target(path, query), self._headers("GET")
        return Watch(self._counted("GET", path, lambda: self._pool.watch(target, headers, timeout)), path)

    def resource_path(self, resource: str, name: str = "", namespace: str = "") -> str:
        """Path in resource.k8s.io, in the newest version that the server has."""
        if not self._resource_group:
            self._resource_group = f"/apis/resource.k8s.io/{self._served_version()}"
        scope = f"/namespaces/{quote(namespace, safe='')}" if namespace else ""
        return f"{self._resource_group}{scope}/{resource}" + (f"/{quote(name, safe='')}" if name else "")

    def _served_version(self) -> str:
        try:
            versions = self.get("/apis/resource.k8s.io").get("versions") or ()
        except NotFound:  # which must not be taken for the answer about an object
            versions = ()
        served = {entry.get("version") for entry in versions}
        for version in _RESOURCE_VERSIONS:
            if version in served:
                return version
        raise KubeError(0, "NotServed", f"the API server serves resource.k8s.io only as {sorted(map(str, served))}")

    def _call(
        self, method: str, path: str, query: Mapping[str, str] | None = None, body: Object | None = None, **options: Any
    ) -> Object:
        target, data = self._target(path, query), json.dumps(body).encode() if body is not None else None

        def send() -> Response:
            return self._pool.request(method, target, data, self._headers(method), options.get("timeout"))

        response = self._counted(method, path, send)
        if response.status == 401 and self._credentials.token_file:
            try:
                self._token = self._credentials.bearer()
            except PluginError as error:
                raise KubeError(response.status, "Unauthorized", f"{method} {path}: {error}") from error
            response = self._counted(method, path, send)
        _raise_for_status(response, method, path)
        return _decode(response.data)

    def _target(self, path: str, query: Mapping[str, str] | None) -> str:
        return self._prefix + path + (f"?{urlencode(query)}" if query else "")

    def _headers(self, method: str) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": "dra-plugin-python"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if method != "GET":
            headers["Content-Type"] = "application/apply-patch+yaml" if method == "PATCH" else "application/json"
        return headers

    def _counted(self, method: str, path: str, send: Callable[[], _Answer]) -> _Answer:
        try:
            response = send()
        except HTTPError as error:
            metrics.current().request(method, 0)
            where = self._credentials.server
            raise KubeError(
                0, "Unreachable", f"{method} {path}: the API server {where} does not answer: {_why(error)}"
            ) from error
        metrics.current().request(method, response.status)
        return response


class Watch:
    """One watch request: iterate for (type, object), close from any thread to end it."""

    def __init__(self, response: urllib3.BaseHTTPResponse, what: str) -> None:
        self._response = response
        self._what = what
        self._closed = threading.Event()
        if response.status != 200:
            response.read(cache_content=True)
        _raise_for_status(response, "watch", what)

    def __iter__(self) -> Iterator[tuple[str, Object]]:
        """Events as they come, bookmarks too. Raises Gone when it must be started anew with a list."""
        rest = b""
        try:
            for chunk in self._response.stream(65536):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in filter(None, lines):
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        raise kube_error(int(event["object"].get("code", 0)), event["object"], f"watch {self._what}")
                    yield event["type"], event["object"]
        except (HTTPError, ValueError) as error:
            if not self._closed.is_set():
                raise KubeError(0, "Unreachable", f"watch {self._what}: {error}") from error
        finally:
            self._response.close()

    def close(self) -> None:
        """End the watch; a thread that is reading it stops."""
        self._closed.set()
        if isinstance(self._response, urllib3.HTTPResponse):
            try:
                self._response.shutdown()
            except (ValueError, RuntimeError, OSError):
                self._response.close()


def _why(error: HTTPError) -> str:
    """What urllib3 has to say, without its connection pools and addresses of objects."""
    return re.sub(r"^HTTPS?Connection\w*\([^)]*\): ", "", str(getattr(error, "reason", None) or error))


def _decode(data: bytes) -> Object:
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _raise_for_status(response: urllib3.BaseHTTPResponse | Response, what: str, path: str) -> None:
    if response.status >= 300:
        retry_after = response.headers.get("retry-after", "")
        seconds = float(retry_after) if retry_after.isdigit() else 0
        raise kube_error(response.status, _decode(response.data), f"{what} {path}", seconds)
