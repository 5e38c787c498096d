"""What a run has recorded, as its page shows it: the history in the report's folder, and files of each check."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.history import Event
from conformance.parts import RESUMED
from conformance.redact import redact_text

HISTORY_FILE = "history.jsonl"
MAX_BYTES = 256 * 1024 * 1024
"""Of a history that is read for the page; one that is larger is for other tools."""


@dataclass(frozen=True)
class Recorded:
    """The events of a run in their order, those of each check, and the folder that holds what was kept of them."""

    folder: Path | None = None
    events: Sequence[Event] = ()
    of_check: dict[str, list[Event]] = field(default_factory=dict)

    def text(self, path: str) -> str:
        """A file of evidence, secrets redacted once more; "" where it cannot be read or leads out of the folder."""
        if self.folder is None:
            return ""
        file = (self.folder / path).resolve()
        if not file.is_relative_to(self.folder.resolve()) or not file.is_file():
            return ""
        return redact_text(file.read_text(encoding="utf-8", errors="backslashreplace"))


def recorded(folder: Path | None) -> Recorded:
    """What is recorded in a report's folder; nothing where there is none, or no history that can be read."""
    file = folder / HISTORY_FILE if folder else None
    if file is None or not file.is_file() or file.stat().st_size > MAX_BYTES:
        return Recorded(folder)
    events = list(_events(file))
    return Recorded(folder, events, _by_check(events))


def _events(file: Path) -> Iterator[Event]:
    with file.open(encoding="utf-8", errors="backslashreplace") as lines:
        for line in lines:
            try:
                row: dict[str, Any] = json.loads(line)
                yield Event(row.pop("seq"), row.pop("time"), row.pop("kind"), row)
            except (ValueError, KeyError, AttributeError, TypeError):
                continue  # the last line of a run that was killed may be cut


def _by_check(events: Sequence[Event]) -> dict[str, list[Event]]:
    """The events from each check's start to its end; with several workers those of its own."""
    found: dict[str, list[Event]] = {}
    running: dict[str, str] = {}  # worker: the check that it is at
    for event in events:
        if event.kind == RESUMED["kind"]:
            running = {}
        worker = str(event["worker"] or "")
        if event.kind == "check" and event["phase"] == "start":
            running[worker] = str(event["id"])
            found[running[worker]] = []
        if worker in running:
            found[running[worker]].append(event)
        if event.kind == "check" and event["phase"] == "end":
            running.pop(worker, None)
    return found
