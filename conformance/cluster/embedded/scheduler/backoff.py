"""Pods that could not be bound are left alone for a while, longer each time.

Source: the back-off queue of pkg/scheduler/backend/queue.
"""

import time

from conformance.cluster.embedded.apiserver.objects import Key

_FIRST = 1.0
_LONGEST = 10.0


class Backoff:
    """For each pod that failed, until when it is left alone, and for how long the next time."""

    def __init__(self) -> None:
        self._until: dict[Key, float] = {}
        self._next: dict[Key, float] = {}

    def add(self, key: Key) -> None:
        """The pod has failed once more."""
        seconds = self._next.get(key, _FIRST)
        self._until[key] = time.monotonic() + seconds
        self._next[key] = min(2 * seconds, _LONGEST)

    def forget(self, key: Key) -> None:
        """The pod is bound or gone."""
        self._until.pop(key, None)
        self._next.pop(key, None)

    def waits(self, key: Key) -> bool:
        """Whether the pod is to be left alone now."""
        return self._until.get(key, 0.0) > time.monotonic()

    def over(self) -> list[Key]:
        """Pods that have waited long enough, each once."""
        now = time.monotonic()
        keys = [key for key, until in self._until.items() if until <= now]
        for key in keys:
            del self._until[key]
        return keys

    def seconds(self) -> list[float]:
        """Seconds until the others have."""
        now = time.monotonic()
        return [max(until - now, 0.0) for until in self._until.values()]
