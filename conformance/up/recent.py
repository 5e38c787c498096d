"""A history of a cluster that is kept for long: all of it is on disk, in memory what can still be asked for."""

from bisect import bisect_left
from typing import Any

from conformance.history import Event, History

_LARGE = ("api", "request", "rpc")  # events with objects in them; the others tell what became of drivers


class RecentHistory(History):
    """Events keep their places; of those with objects in them only the newest ones keep their data."""

    newest = 2000

    def record(self, kind: str, **data: Any) -> Event:
        """Append an event, and forget the data of one that is old by now."""
        with self._grown:
            event = super().record(kind, **data)
            place = event.seq - self.newest
            if place >= 0 and self._events[place].kind in _LARGE:
                self._forget(self._events[place])
        return event

    def _forget(self, old: Event) -> None:
        rest = Event(old.seq, old.time, old.kind, {})
        self._events[old.seq] = rest
        of_kind = self._of_kind[old.kind]
        of_kind[bisect_left(of_kind, old.seq, key=lambda event: event.seq)] = rest
