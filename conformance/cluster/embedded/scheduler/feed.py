"""Changes of several resources of the store as one queue, and the thread that works them off."""

import queue
import threading
import traceback
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from conformance.history import History

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store

T = TypeVar("T")
P = ParamSpec("P")


class Change(NamedTuple):
    """What happened to an object (ADDED, MODIFIED, DELETED). The object is the store's own: read only."""

    type: str
    resource: str
    object: dict[str, Any]

    def __str__(self) -> str:
        meta = self.object["metadata"]
        return f"{self.type} {self.resource} {meta.get('namespace', '')}/{meta.get('name', '')}"


class Feed:
    """What is there as ADDED, resource by resource, then every change."""

    def __init__(self, store: "Store", resources: Iterable[str]) -> None:
        self._queue: queue.SimpleQueue[Change | None] = queue.SimpleQueue()
        self._watchers = [self._follow(store, resource) for resource in resources]
        self.closed = False

    def _follow(self, store: "Store", resource: str) -> Any:
        everything = store.selection(resource)
        objects, version = store.view(resource, everything)
        for obj in objects:
            self._queue.put(Change("ADDED", resource, obj))

        def deliver(change: Any) -> None:
            self._queue.put(Change(change.type, resource, change.object))

        return store.watch(resource, everything, version, deliver)

    def take(self, timeout: float | None = None) -> list[Change]:
        """All changes that are there; waits for the first one. None came in `timeout` seconds or closed: empty."""
        changes: list[Change] = []
        try:
            change = self._queue.get(timeout=None if timeout is None else min(timeout, threading.TIMEOUT_MAX))
            while change is not None:
                changes.append(change)
                change = self._queue.get_nowait()
        except queue.Empty:
            return changes
        self.closed = True
        return changes

    def close(self) -> None:
        """End it. May be called from any thread."""
        for watcher in self._watchers:
            watcher.close()
        self._queue.put(None)


class FeedThread:
    """A thread that hands the changes of a feed, in batches, to a function; started and stopped once.

    `work` gets a batch and returns in how many seconds it wants to be called without one (None: only with changes).
    An exception that nobody thought of is recorded as `error`, and the thread goes on with the next batch: whoever
    works off a batch puts each part that may fail on its own into an `attempt`.
    """

    def __init__(self, name: str, store: "Store", history: History, resources: Iterable[str]) -> None:
        self._name = name
        self._store = store
        self._history = history
        self._resources = tuple(resources)
        self._feed: Feed | None = None
        self._thread: threading.Thread | None = None

    def start(self, work: Callable[[list[Change]], float | None]) -> None:
        """Start the thread."""
        feed = self._feed = Feed(self._store, self._resources)

        def run() -> None:
            wait: float | None = None
            while not feed.closed:
                wait = self.attempt("batch of changes", work, feed.take(wait))

        self._thread = threading.Thread(target=run, name=self._name, daemon=True)
        self._thread.start()

    def attempt(self, what: str, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What the function returns; None if it failed, which is recorded with what it was about."""
        try:
            return act(*args, **kwargs)
        except Exception as error:
            trace = "".join(traceback.format_exception(error))
            self._history.record("error", where=f"{self._name}: {what}", trace=trace)
            return None

    def stop(self) -> None:
        """End the thread after the batch it works on; may be called twice."""
        if self._feed and self._thread:
            self._feed.close()
            self._thread.join()
            self._feed = self._thread = None
