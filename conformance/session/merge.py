"""One history of the run out of those of its workers."""

import heapq
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.history import HISTORY_FILE

_PREFIX = "history-"


def merge_histories(folder: Path) -> None:
    """Join history-<worker>.jsonl files into history.jsonl, in order of time, each row with its worker.

    What history.jsonl holds of an earlier part of the run stays at its beginning.
    """
    parts = sorted(folder.glob(f"{_PREFIX}*.jsonl"))
    if not parts:
        return
    draft = folder / f".{HISTORY_FILE}"
    with draft.open("w", encoding="utf-8") as file:
        earlier = _earlier(folder / HISTORY_FILE)
        rows = heapq.merge(*(_rows(part) for part in parts), key=lambda row: row["time"])
        for seq, row in enumerate(itertools.chain(earlier, rows)):
            file.write(json.dumps({**row, "seq": seq}, separators=(",", ":")) + "\n")
    draft.replace(folder / HISTORY_FILE)
    for part in parts:
        part.unlink()


def _earlier(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.endswith("\n"))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    worker = path.stem.removeprefix(_PREFIX)
    with path.open(encoding="utf-8") as file:
        for line in file:
            # The last line of a worker that was killed may be cut.
            if line.endswith("\n"):
                yield {**json.loads(line), "worker": worker}
