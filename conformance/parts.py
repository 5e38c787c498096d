"""The parts of a run that was interrupted and gone on with: each has a cluster and a driver of its own.

What a whole run is judged by at its end is judged part by part: between the end of one driver and the start of the next
nothing is anybody's fault.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conformance.history import Event, History

Row = Mapping[str, Any]

RESUMED = {"kind": "run", "phase": "resumed"}
"""The event between two parts."""


def is_boundary(row: Row) -> bool:
    """Whether a row of history.jsonl is where a run was gone on with."""
    return row["kind"] == RESUMED["kind"] and row.get("phase") == RESUMED["phase"]


def earlier_parts(rows: Iterable[Row]) -> list[History]:
    """What each worker has seen in each part that was interrupted, as far as its checks came to their ends.

    The check that the run was interrupted in is left out, with all that came after it: nobody cleaned up there.
    """
    found: list[History] = []
    running: dict[str, list[Row]] = {}
    for row in rows:
        if is_boundary(row):
            found += [history(cut) for seen in running.values() if (cut := to_last_end(seen))]
            running = {}
        else:
            running.setdefault(str(row.get("worker", "")), []).append(row)
    return found


def history(rows: Iterable[Row]) -> History:
    """Rows of a file as the checks see them."""
    left_out = ("seq", "time", "kind", "worker")
    return History.of(
        Event(number, row["time"], row["kind"], {key: value for key, value in row.items() if key not in left_out})
        for number, row in enumerate(rows)
    )


def to_last_end(rows: Sequence[Row]) -> Sequence[Row]:
    """Rows of one worker up to the end of its last check; none where no check has ended."""
    ends = [number for number, row in enumerate(rows) if row["kind"] == "check" and row["phase"] == "end"]
    return rows[: ends[-1] + 1] if ends else ()
