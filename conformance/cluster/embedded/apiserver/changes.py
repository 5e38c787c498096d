"""What watchers of the store get: changes seen through a selection, and the queue of one subscriber."""

import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.selectors import Selection

Deliver = Callable[["Change"], None]


@dataclass(frozen=True)
class Change:
    """One change of one object. Objects in it are shared with other readers: copy before changing them."""

    type: str
    version: int
    object: Object
    previous: Object | None = None

    def seen_by(self, selection: Selection) -> "Change | None":
        """The change as a watcher with that selection sees it; None when it does not concern it.

        As in the API server, an object that comes to match is ADDED, and one that no longer matches is DELETED: as it
        was when it last matched, with the version of the change.
        """
        if selection.everything:
            return self
        now = self.type != "DELETED" and selection.matches(self.object)
        before = self.type != "ADDED" and self.previous is not None and selection.matches(self.previous)
        if now:
            return Change("MODIFIED" if before else "ADDED", self.version, self.object)
        if not before or self.previous is None:
            return None
        if self.type == "DELETED":
            return Change("DELETED", self.version, self.object)
        metadata = {**self.previous["metadata"], "resourceVersion": str(self.version)}
        return Change("DELETED", self.version, {**self.previous, "metadata": metadata})


class Watcher:
    """Delivers changes of one collection to a function, under the store's lock: it must only queue them."""

    def __init__(self, selection: Selection, deliver: Deliver, forget: Callable[["Watcher"], None]) -> None:
        self.selection = selection
        self._deliver = deliver
        self._forget = forget

    def offer(self, change: Change) -> None:
        """Deliver the change if it concerns this watcher."""
        seen = change.seen_by(self.selection)
        if seen:
            self._deliver(seen)

    def close(self) -> None:
        """Deliver nothing more."""
        self._forget(self)


class Subscription:
    """Changes of one collection as a queue for one thread: what is there as ADDED, then every change, in order."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Change | None] = queue.SimpleQueue()
        self._watcher: Watcher | None = None
        self._closed = False

    def attach(self, watcher: Watcher) -> None:
        """Tell the subscription what feeds it (for the store)."""
        self._watcher = watcher

    def put(self, change: Change) -> None:
        """Add a change (for the store)."""
        self._queue.put(change)

    def get(self, timeout: float | None = None) -> tuple[str, Object] | None:
        """The next (ADDED | MODIFIED | DELETED, object); None after `timeout` seconds without one, or when closed.

        The object is shared with other readers: copy it before changing it.
        """
        if self._closed and self._queue.empty():
            return None
        try:
            change = self._queue.get(timeout=timeout)
        except queue.Empty:
            return None
        return None if change is None else (change.type, change.object)

    def __iter__(self) -> Iterator[tuple[str, Object]]:
        """All changes until the subscription is closed."""
        while (change := self.get()) is not None:
            yield change

    def close(self) -> None:
        """End it: readers get what is queued and then None. May be called from any thread."""
        self._closed = True
        if self._watcher:
            self._watcher.close()
        self._queue.put(None)
