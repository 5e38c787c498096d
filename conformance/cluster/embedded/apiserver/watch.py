"""WATCH answers: a stream of changes, with the state at the start where the client asks for it."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.bodies import encode, warning
from conformance.cluster.embedded.apiserver.changes import Change
from conformance.cluster.embedded.apiserver.list_options import check_list_options, number
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.serving import serve_bookmark, serve_event
from conformance.cluster.embedded.apiserver.store import Store

_DEFAULT_SECONDS = 1800
_BOOKMARK_SECONDS = 60
_INITIAL_END = "k8s.io/initial-events-end"
_KEPT_ROWS = 1024

Queue = asyncio.Queue[Change | None]


class Watches:
    """The watches that are open now, and the last changes as they were sent: encoded once for all of them."""

    def __init__(self) -> None:
        self._queues: set[Queue] = set()
        self._closed = False
        self._rows: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

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

    def row(self, key: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
        """What is sent for a change in one form, made at the first time that it is wanted."""
        found = self._rows.get(key)
        if found is None:
            found = self._rows[key] = make()
            if len(self._rows) > _KEPT_ROWS:
                self._rows.popitem(last=False)
        return found


class WatchResponse:
    """One watch. Refusals are raised when it is made, so that they are ordinary answers."""

    def __init__(self, store: Store, info: RequestInfo, watches: Watches) -> None:
        check_list_options(info)
        self._store = store
        self._info = info
        self._form = info.form
        self._watches = watches
        self._queue: Queue = asyncio.Queue()
        self._seconds = number(info, "timeoutSeconds") or _DEFAULT_SECONDS
        name = f"metadata.name={info.name}" if info.name else ""
        self._selection = store.selection(
            info.kind.resource.plural,
            info.namespace,
            info.query.get("labelSelector", ""),
            ",".join(filter(None, (info.query.get("fieldSelector", ""), name))),
        )
        self._initial, self._since = self._state()
        self._sent = False

    def _state(self) -> tuple[list[Object], int]:
        """The objects to begin with, and the version that changes are wanted from."""
        version, newest = int(self._info.query.get("resourceVersion") or 0), self._store.resource_version
        if self._info.flag("sendInitialEvents") or not version:
            if self._info.query.get("sendInitialEvents", "") == "false":
                return [], newest
            return self._store.view(self._info.kind.resource.plural, self._selection)
        return [], version

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()

        def deliver(change: Change) -> None:
            loop.call_soon_threadsafe(self._queue.put_nowait, change)

        self._watches.add(self._queue)
        gone = loop.create_task(self._wait_gone(receive))
        timer = loop.call_later(self._seconds, self._queue.put_nowait, None)
        await send(_start(self._info))
        try:
            resource = self._info.kind.resource.plural
            for row in self._first():
                await send(_chunk(encode(row)))
            try:
                watcher = self._store.watch(resource, self._selection, self._since, deliver)
            except ApiError as error:
                await send(_chunk(encode({"type": "ERROR", "object": error.body})))
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
            yield self._event("ADDED", obj)
        if self._info.flag("sendInitialEvents"):
            yield self._bookmark(self._since, {_INITIAL_END: "true"})

    async def _relay(self, send: Send) -> None:
        version, bookmarks = self._since, self._info.flag("allowWatchBookmarks")
        while True:
            try:
                change = await asyncio.wait_for(self._queue.get(), _BOOKMARK_SECONDS if bookmarks else None)
            except TimeoutError:
                # Nothing that this watch is about has changed: the newest version is as good a place to go on from.
                if self._queue.empty():
                    version = self._store.resource_version
                    await send(_chunk(encode(self._bookmark(version, {}))))
                continue
            if change is None:
                break
            version = change.version
            await send(_chunk(self._row(change)))
        if bookmarks:
            await send(_chunk(encode(self._bookmark(version, {}))))

    def _row(self, change: Change) -> bytes:
        info = self._info
        if self._form.name == "Table":
            return encode(self._event(change.type, _at(change)))
        key = (info.full_resource, info.version, self._form, change.type, change.version)
        return self._watches.row(key, lambda: encode(self._event(change.type, _at(change))))

    def _event(self, kind: str, obj: Object) -> Object:
        served = serve_event(self._info, obj, first=not self._sent)
        self._sent = True
        return {"type": kind, "object": served}

    async def _wait_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            continue
        self._queue.put_nowait(None)

    def _bookmark(self, version: int, annotations: dict[str, str]) -> Object:
        meta: dict[str, Any] = {"resourceVersion": str(version)}
        if annotations:
            meta["annotations"] = annotations
        served = serve_bookmark(self._info, meta, first=not self._sent)
        self._sent = True
        return {"type": "BOOKMARK", "object": served}


def _at(change: Change) -> Object:
    """The object with the version of its change: one that only left the selection has an older one otherwise."""
    obj, version = change.object, str(change.version)
    if obj["metadata"]["resourceVersion"] == version:
        return obj
    return {**obj, "metadata": {**obj["metadata"], "resourceVersion": version}}


def _start(info: RequestInfo) -> Message:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-cache, private")]
    headers += [(b"warning", warning(text).encode()) for text in info.warnings]
    return {"type": "http.response.start", "status": 200, "headers": headers}


def _chunk(row: bytes) -> Message:
    return {"type": "http.response.body", "body": row + b"\n", "more_body": True}
