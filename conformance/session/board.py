"""What the workers of a run tell each other: the verdicts that they have reached, as files in the report's folder.

A check may need one that another worker runs, and those at the end come after all others. Workers of pytest-xdist hear
of each other through the controller only, and never while a test runs; so each writes rows that the others read.
"""

import json
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.session.collected import FOLDER
from conformance.verdict import Verdict

_LOST = "lost"
_PAUSE = 0.02  # seconds between two looks at files that have not grown


@dataclass(frozen=True)
class Reached:
    """One item's verdict. unseen: the cluster shows nothing to judge it by, which holds up no other check."""

    node_id: str
    id: str
    verdict: Verdict
    unseen: bool = False


class Board:
    """One worker's view; `worker` is its own name. It waits for nothing any more once a worker was lost."""

    def __init__(self, folder: Path, worker: str) -> None:
        self._folder = folder / FOLDER
        self._own = self._folder / _name(worker)
        self._read: dict[Path, int] = {}
        self._known: set[str] = set()

    def post(self, row: Reached) -> None:
        """Tell the others of a verdict."""
        self._known.add(row.node_id)
        with self._own.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**vars(row), "verdict": row.verdict.value}) + "\n")

    def wait(self, node_ids: Collection[str]) -> Iterator[Reached]:
        """News of other workers until the verdicts of all these items are known, or a worker was lost."""
        while True:
            yield from self._news()
            if self._known.issuperset(node_ids) or (self._folder / _LOST).exists():
                return
            time.sleep(_PAUSE)

    def _news(self) -> Iterator[Reached]:
        for path in sorted(self._folder.glob(_name("*"))):
            if path == self._own:
                continue
            with path.open("rb") as file:
                file.seek(self._read.get(path, 0))
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # the rest of it is on the way
                    self._read[path] = self._read.get(path, 0) + len(line)
                    yield self._take(json.loads(line))

    def _take(self, raw: dict[str, Any]) -> Reached:
        self._known.add(raw["node_id"])
        return Reached(**{**raw, "verdict": Verdict(raw["verdict"])})


def report_lost(folder: Path) -> None:
    """Tell all workers that one has died: what it was to say may never come."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    (folder / FOLDER / _LOST).touch()


def _name(worker: str) -> str:
    return f"verdicts-{worker}.jsonl"
