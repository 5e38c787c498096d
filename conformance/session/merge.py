"""One history of the run out of those of its workers."""

import heapq
import json
import re
from collections.abc import Iterator
from pathlib import Path

from conformance.history import HISTORY_FILE

_PREFIX = "history-"
_ROW = re.compile(r'\{"seq": ?\d+, ?"time": ?([0-9.e+]+), ?(.*)\}\n')
"""How a history begins each line. Taken apart as text: reading all of it as JSON takes as long as ten checks."""


def merge_histories(folder: Path) -> None:
    """Join history-<worker>.jsonl files into history.jsonl, in order of time, each row with its worker.

    What history.jsonl holds of an earlier part of the run stays at its beginning. Raises ValueError for a line that no
    history has.
    """
    parts = sorted(folder.glob(f"{_PREFIX}*.jsonl"))
    if not parts:
        return
    draft = folder / f".{HISTORY_FILE}"
    with draft.open("w", encoding="utf-8") as file:
        earlier = 0
        for line in _earlier(folder / HISTORY_FILE):
            file.write(line)
            earlier += 1
        for seq, (time, rest) in enumerate(heapq.merge(*map(_rows, parts), key=lambda row: float(row[0])), earlier):
            file.write(f'{{"seq":{seq},"time":{time},{rest}}}\n')
    draft.replace(folder / HISTORY_FILE)
    for part in parts:
        part.unlink()


def _earlier(file: Path) -> Iterator[str]:
    """The lines of an earlier part, which are numbered already."""
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            yield from (line for line in lines if line.endswith("\n"))


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    """Time and data of each row."""
    worker = json.dumps(path.stem.removeprefix(_PREFIX))
    with path.open(encoding="utf-8") as file:
        for line in file:
            # The last line of a worker that was killed may be cut.
            if not line.endswith("\n"):
                return
            found = _ROW.fullmatch(line)
            if found is None:
                raise ValueError(f"{path.name} holds a line that is no event: {line[:80]!r}")
            yield found[1], f'{found[2]},"worker":{worker}'
