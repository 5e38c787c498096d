"""The history: everything that happened in a run, in one ordered log, kept on disk as JSON lines.

Kinds of events and their data (all JSON):

    rpc       phase start|end, id, method, node, driver, instance (endpoint), version, request; at the end also
              code (gRPC status name), details, response, seconds
    api       type ADDED|MODIFIED|DELETED, resource (plural), object
    process   name, instance, node, pid, phase started|signalled|exited; signal or exit status
    kubelet   node, action (started, stopped, registered, deregistered, wiped, rebooted, …), driver, details
    disturb   what the harness did to the driver or the node: action, node; phase start|end
    leak      what was left behind: check, claim, what, where
    vain      a pod that a check waited for in vain to run: namespace, pod, uid
    check     id, phase start|call|setup|teardown|end; at the start tier, node_id, covers; call when the body has ended,
              setup, call or teardown with raised and says when that ended with an exception; at the end verdict
    expect    check and the finding
    waivers   file, sha256, day and findings: what the run was given, at its end
    run       phase resumed: the run was interrupted before, and here it is gone on with
"""

import json
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from conformance.redact import redact

HISTORY_FILE = "history.jsonl"
"""Its name in the folder of a report."""

Where = Callable[["Event"], bool]

MAX_CHARACTERS = 16 * 1024
"""Of one text in an event; how long the rest was is said at its end."""


@dataclass(frozen=True)
class Event:
    """One event: its place in the order, when (Unix seconds), its kind and its data."""

    seq: int
    time: float
    kind: str
    data: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.data.get(key)


class History:
    """An ordered, append-only log shared by all threads of a run; written through to disk, secrets redacted.

    The file is made with the first event. unwritten: why nothing is written any more, where that is so.
    """

    def __init__(self, path: Path | None = None, *, first: int = 0) -> None:
        """`first`: how many events the file has already, of a part of the run that is none of this history's."""
        self._events: list[Event] = []
        self._of_kind: defaultdict[str, list[Event]] = defaultdict(list)
        self._grown = threading.Condition()
        self._first = first
        self.path = path
        self.unwritten: OSError | None = None
        self._file: TextIO | None = None
        self._writes = path is not None

    @classmethod
    def of(cls, events: Iterable[Event]) -> "History":
        """One that was recorded before; nothing of it is written anywhere."""
        history = cls()
        for event in events:
            history._events.append(event)
            history._of_kind[event.kind].append(event)
        return history

    def record(self, kind: str, **data: Any) -> Event:
        """Append an event; data must be JSON. Secrets are redacted, and long texts cut."""
        with self._grown:
            event = Event(len(self._events), time.time(), kind, capped(redact(data)))
            self._events.append(event)
            self._of_kind[kind].append(event)
            if self._writes:
                self._write(event)
            self._grown.notify_all()
        return event

    def _write(self, event: Event) -> None:
        """What cannot be written is no failure of whoever has done something: events go on to be read in memory."""
        row = {"seq": self._first + event.seq, "time": round(event.time, 6), "kind": event.kind, **event.data}
        line = json.dumps(row, separators=(",", ":"), default=str) + "\n"
        try:
            if self._file is None and self.path:
                self._file = self.path.open("a", encoding="utf-8", buffering=1)
            if self._file:
                self._file.write(line)
        except OSError as error:
            self.unwritten = error
            self._close()

    def raise_unwritten(self) -> None:
        """Raise the OSError because of which events are missing in the file, where there was one."""
        if self.unwritten:
            raise self.unwritten

    def __len__(self) -> int:
        return len(self._events)

    def __bool__(self) -> bool:
        return True  # a history without events is a history

    def events(self, kind: str | None = None, where: Where | None = None, since: int = 0) -> Iterator[Event]:
        """Events in order, of one kind, from sequence number `since` on."""
        rows = self._rows(kind)
        first = since if kind is None else bisect_left(rows, since, key=lambda event: event.seq)
        for event in rows[first:]:
            if where is None or where(event):
                yield event

    def last(self, kind: str, where: Where | None = None) -> Event | None:
        """The latest such event, or None."""
        return next((event for event in reversed(self._rows(kind)) if where is None or where(event)), None)

    def wait(self, kind: str | None, where: Where | None = None, *, since: int = 0, timeout: float) -> Event | None:
        """The first such event from `since` on, waited for at most `timeout` seconds; None when it did not come."""
        deadline = time.monotonic() + timeout
        with self._grown:
            while True:
                found = next(self.events(kind, where, since), None)
                left = deadline - time.monotonic()
                if found or left <= 0:
                    return found
                since = max(since, len(self._events))
                self._grown.wait(left)

    def watch_for(self, seconds: float, *, after: Event) -> None:
        """Go on recording until `seconds` have passed since an event: for checks that judge what did not happen."""
        deadline = after.time + seconds
        with self._grown:
            while (left := deadline - time.time()) > 0:
                self._grown.wait(left)

    def _rows(self, kind: str | None) -> list[Event]:
        return self._events if kind is None else self._of_kind.get(kind, [])

    def close(self) -> None:
        """Close the file; events stay readable in memory."""
        with self._grown:
            self._close()

    def _close(self) -> None:
        self._writes = False
        if self._file:
            with suppress(OSError):  # what was told already: what is left in its buffer cannot be written
                self._file.close()
            self._file = None


def capped(value: Any) -> Any:
    """A JSON value as the history keeps it: of long texts only the beginning."""
    if isinstance(value, dict):
        return {key: capped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [capped(item) for item in value]
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        return f"{value[:MAX_CHARACTERS]}… {len(value) - MAX_CHARACTERS} more characters"
    return value
