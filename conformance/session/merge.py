"""One history of the run out of those of its workers."""

import heapq
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.history import HISTORY_FILE

_PREFIX = "history-"


def merge_histories(folder: Path) -> None:
    """Join history-<worker>.jsonl files into history.jsonl, in order of time, each row with its worker."""
    parts = sorted(folder.glob(f"{_PREFIX}*.jsonl"))
    if not parts:
        return
    draft = folder / f".{HISTORY_FILE}"
    with draft.open("w", encoding="utf-8") as file:
        rows = heapq.merge(*(_rows(part) for part in parts), key=lambda row: row["time"])
        for seq, row in enumerate(rows):
            file.write(json.dumps({**row, "seq": seq}, separators=(",", ":")) + "\n")
    draft.replace(folder / HISTORY_FILE)
    for part in parts:
        part.unlink()


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    worker = path.stem.removeprefix(_PREFIX)
    with path.open(encoding="utf-8") as file:
        for line in file:
            # The last line of a worker that was killed may be cut.
            if line.endswith("\n"):
                yield {**json.loads(line), "worker": worker}
