"""One watch of one collection: it outlives broken connections and ends as soon as it is told to."""

import json
import socket
import threading
from collections.abc import Generator, Iterator
from typing import Any, Protocol

import urllib3

from conformance.cluster.api_errors import ApiError, Expired, Unreachable

Object = dict[str, Any]
Change = tuple[str, Object]

_INITIAL_END = "k8s.io/initial-events-end"
_TIMEOUT = urllib3.Timeout(connect=5, read=None)


class Open(Protocol):
    """Makes a request and leaves the answer's body to be read."""

    def __call__(
        self, method: str, path: str, query: dict[str, str], *, stream: bool = ..., timeout: urllib3.Timeout = ...
    ) -> urllib3.BaseHTTPResponse:
        """The response."""
        ...


class Watching:
    """The changes of a collection, from `resource_version` on, or from its present state when that is ""."""

    def __init__(
        self, open_request: Open, path: str, query: dict[str, str], resource_version: str, stop: threading.Event
    ) -> None:
        self._open = open_request
        self._path = path
        self._query = query
        self._version = resource_version
        self._stop = stop
        self._known: dict[str, Object] = {}
        self._listed: dict[str, Object] | None = None

    def events(self) -> Generator[Change, None, None]:
        """Changes in order until `stop` is set. Raises ApiError when the watch is refused."""
        while not self._stop.is_set():
            try:
                yield from self._connection()
            except Expired:
                self._version = ""
            except (Unreachable, urllib3.exceptions.HTTPError, OSError):
                self._stop.wait(0.1)

    def _connection(self) -> Iterator[Change]:
        query = {**self._query, "watch": "true", "allowWatchBookmarks": "true", "resourceVersion": self._version}
        if not self._version:
            self._listed = {}
            query |= {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
        response = self._open("GET", self._path, query, stream=True, timeout=_TIMEOUT)
        try:
            if response.status >= 400:
                raise ApiError.of({"code": response.status, **json.loads(response.read() or b"{}")})
            with _Closer(response, self._stop):
                for row in _lines(response):
                    yield from self._change(row["type"], row["object"])
                    if self._stop.is_set():
                        return
        finally:
            response.close()

    def _change(self, kind: str, obj: Object) -> Iterator[Change]:
        if kind == "ERROR":
            raise ApiError.of(obj)
        self._version = str(obj["metadata"]["resourceVersion"]) if self._listed is None else self._version
        if kind == "BOOKMARK":
            if _INITIAL_END in (obj["metadata"].get("annotations") or {}):
                yield from self._end_of_list()
                self._version = str(obj["metadata"]["resourceVersion"])
            return
        uid = obj["metadata"]["uid"]
        if self._listed is not None and kind == "ADDED":
            self._listed[uid] = obj
            if uid in self._known:
                kind = "MODIFIED"
        if kind == "DELETED":
            self._known.pop(uid, None)
        else:
            self._known[uid] = obj
        yield kind, obj

    def _end_of_list(self) -> Iterator[Change]:
        listed = self._listed or {}
        self._listed = None
        for uid in [uid for uid in self._known if uid not in listed]:
            yield "DELETED", self._known.pop(uid)


def _lines(response: urllib3.BaseHTTPResponse) -> Iterator[Object]:
    rest = b""
    for chunk in response.stream(65536):
        *rows, rest = (rest + chunk).split(b"\n")
        for row in rows:
            if row.strip():
                yield json.loads(row)


class _Closer:
    """Ends a blocked read when `stop` is set, by shutting the connection down from a thread of its own."""

    def __init__(self, response: urllib3.BaseHTTPResponse, stop: threading.Event) -> None:
        self._socket = getattr(response.connection, "sock", None)
        self._stop = stop
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch-closer", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()

    def _run(self) -> None:
        while not self._stop.wait(0.2):
            if self._done.is_set():
                return
        if self._socket is not None and not self._done.is_set():
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                return
