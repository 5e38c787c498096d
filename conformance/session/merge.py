"""One history of the run out of those of its workers."""

import heapq
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from conformance.history import HISTORY_FILE
from conformance.report.derive import HistoryError, rows_of

_PREFIX = "history-"
_ROW = re.compile(r'\{"seq": ?\d+, ?"time": ?(\d+(?:\.\d+)?(?:e\+?\d+)?), ?(.*)\}\n')
"""How a history begins each line. Taken apart as text: reading all of it as JSON takes as long as ten checks."""


def merge_histories(folder: Path) -> None:
    """Join history-<worker>.jsonl files into history.jsonl, in order of time, each row with its worker.

    What history.jsonl holds of an earlier part of the run stays at its beginning. Raises HistoryError for a file that
    is no history, and OSError where nothing can be written; then nothing has changed.
    """
    if _parts(folder):
        write(folder, merged(folder))


def write(folder: Path, lines: Iterable[str]) -> None:
    """Make these lines the history, and remove those of workers, which they are made of. As `merge_histories`."""
    draft = folder / f".{HISTORY_FILE}"
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.writelines(lines)
        parts = _parts(folder)
        draft.replace(folder / HISTORY_FILE)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    for part in parts:
        part.unlink()


def merged(folder: Path) -> Iterator[str]:
    """The lines of the history that the parts in the folder make, as far as they are whole. As `merge_histories`."""
    earlier = 0
    for line in _earlier(folder / HISTORY_FILE):
        yield line
        earlier += 1
    parts = map(_rows, _parts(folder))
    for seq, (time, rest) in enumerate(heapq.merge(*parts, key=lambda row: float(row[0])), earlier):
        yield f'{{"seq":{seq},"time":{time},{rest}}}\n'


def refuse_damaged(folder: Path) -> None:
    """Read each part by itself. Raises HistoryError, which names it: later nobody knows whose a line was."""
    for part in _parts(folder):
        for _ in rows_of(part, _lines(part)):
            pass


def _parts(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{_PREFIX}*.jsonl"))


def _earlier(file: Path) -> Iterator[str]:
    """The lines of an earlier part, which are numbered already."""
    if file.exists():
        yield from _lines(file)


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    """Time and data of each row."""
    worker = json.dumps(path.stem.removeprefix(_PREFIX))
    for line in _lines(path):
        found = _ROW.fullmatch(line)
        if found is None:
            raise HistoryError(f"{path}: holds a line that is no event: {line[:80]!r}")
        yield found[1], f'{found[2]},"worker":{worker}'


def _lines(path: Path) -> Iterator[str]:
    """Whole lines: the last one of a process that was killed may be cut."""
    try:
        with path.open(encoding="utf-8") as file:
            yield from (line for line in file if line.endswith("\n"))
    except (OSError, UnicodeDecodeError) as error:
        raise HistoryError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
