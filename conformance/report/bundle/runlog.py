"""run.log: what was judged, when, in the order in which it was, and how the run ended."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conformance.report.derive import rows
from conformance.report.model import Report
from conformance.report.terminal import summary_text
from conformance.report.text import visible

_WIDTH = 100


def run_log(report: Report, history: Path) -> str:
    """The log, from the history of a run that is sound. Raises OSError."""
    told = "".join(f"{visible(line)}\n" for line in _lines(history))
    return f"{told}\n{summary_text(report, width=_WIDTH)}"


def _lines(history: Path) -> Iterator[str]:
    if not history.exists():
        return
    for row in rows(history):
        said = _said(row)
        if said:
            yield f"{datetime.fromtimestamp(row['time'], UTC):%Y-%m-%dT%H:%M:%S.%f}Z {said}"


def _said(row: Mapping[str, Any]) -> str:
    if row["kind"] == "check" and row["phase"] == "start":
        return f"begin {row['id']}"
    if row["kind"] == "check" and row["phase"] == "end":
        return f"end   {row['id']} {row['verdict']}"
    if row["kind"] == "expect":
        word = "holds" if row["holds"] else "BROKEN"
        return f"      {row['requirement']} ({row['level']}) {word}: {row['sentence']}"
    return ""
