"""WATCH answers: a stream of changes, with the state at the start where the client asks for it."""

import asyncio
from collections.abc import Iterator
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.bodies import encode
from conformance.cluster.embedded.apiserver.changes import Change
from conformance.cluster.embedded.apiserver.field_errors import forbidden
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.serving import serve
from conformance.cluster.embedded.apiserver.status import bad_request, invalid
from conformance.cluster.embedded.apiserver.store import Store

_DEFAULT_SECONDS = 1800
_INITIAL_END = "k8s.io/initial-events-end"

Queue = asyncio.Queue[Change | None]


class Watches:
    """The watches that are open now."""

    def __init__(self) -> None:
        self._queues: set[Queue] = set()
        self._closed = False

    def add(self, queue: Queue) -> None:
        """A watch begins; it ends at once when the server is stopping."""
        self._queues.add(queue)
        if self._closed:
            queue.put_nowait(None)

    def remove(self, queue: Queue) -> None:
        """A watch ended."""
        self._queues.discard(queue)

    def close(self) -> None:
        """End all watches, and those that still come."""
        self._closed = True
        for queue in self._queues:
            queue.put_nowait(None)


class WatchResponse:
    """One watch. Refusals are raised when it is made, so that they are ordinary answers."""

    def __init__(self, store: Store, info: RequestInfo, watches: Watches) -> None:
        self._store = store
        self._info = info
        self._watches = watches
        self._queue: Queue = asyncio.Queue()
        self._seconds = _timeout(info)
        self._selection = store.selection(
            info.kind.resource.plural,
            info.namespace,
            info.query.get("labelSelector", ""),
            info.query.get("fieldSelector", ""),
        )
        self._initial, self._since = self._state()

    def _state(self) -> tuple[list[Object], int]:
        """The objects to begin with, and the version that changes are wanted from."""
        query, resource = self._info.query, self._info.kind.resource
        version = query.get("resourceVersion", "")
        if version and not version.isdecimal():
            raise bad_request(f"invalid resource version {version!r}")
        streaming = self._info.flag("sendInitialEvents")
        if streaming and query.get("resourceVersionMatch") != "NotOlderThan":
            text = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
            raise invalid(resource, "", [forbidden("resourceVersionMatch", text)])
        if streaming or version in ("", "0"):
            return self._store.view(resource.plural, self._selection)
        return [], int(version)

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()

        def deliver(change: Change) -> None:
            loop.call_soon_threadsafe(self._queue.put_nowait, change)

        self._watches.add(self._queue)
        gone = loop.create_task(self._wait_gone(receive))
        timer = loop.call_later(self._seconds, self._queue.put_nowait, None)
        await send(_start())
        try:
            resource = self._info.kind.resource.plural
            for row in self._first():
                await send(_chunk(row))
            try:
                watcher = self._store.watch(resource, self._selection, self._since, deliver)
            except ApiError as error:
                await send(_chunk({"type": "ERROR", "object": error.body}))
                return
            try:
                await self._relay(send)
            finally:
                watcher.close()
        finally:
            timer.cancel()
            gone.cancel()
            self._watches.remove(self._queue)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _first(self) -> Iterator[Object]:
        for obj in self._initial:
            yield {"type": "ADDED", "object": serve(self._info, obj)}
        if self._info.flag("sendInitialEvents"):
            yield self._bookmark(self._since, {_INITIAL_END: "true"})

    async def _relay(self, send: Send) -> None:
        version = self._since
        while (change := await self._queue.get()) is not None:
            version = change.version
            row = {"type": change.type, "object": serve(self._info, _at(change))}
            await send(_chunk(row))
        if self._info.flag("allowWatchBookmarks"):
            await send(_chunk(self._bookmark(version, {})))

    async def _wait_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            continue
        self._queue.put_nowait(None)

    def _bookmark(self, version: int, annotations: dict[str, str]) -> Object:
        meta: dict[str, Any] = {"resourceVersion": str(version), "creationTimestamp": None}
        if annotations:
            meta["annotations"] = annotations
        return {"type": "BOOKMARK", "object": serve(self._info, {"metadata": meta})}


def _at(change: Change) -> Object:
    """The object with the version of its change: one that only left the selection has an older one otherwise."""
    obj, version = change.object, str(change.version)
    if obj["metadata"]["resourceVersion"] == version:
        return obj
    return {**obj, "metadata": {**obj["metadata"], "resourceVersion": version}}


def _timeout(info: RequestInfo) -> float:
    text = info.query.get("timeoutSeconds", "")
    if text and not text.isdecimal():
        raise bad_request(f"invalid timeoutSeconds {text!r}")
    return float(text or 0) or _DEFAULT_SECONDS


def _start() -> Message:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-cache, private")]
    return {"type": "http.response.start", "status": 200, "headers": headers}


def _chunk(row: Object) -> Message:
    return {"type": "http.response.body", "body": encode(row) + b"\n", "more_body": True}
