"""A run of many failing checks, each with the evidence of a real one, to see what a page of them weighs."""

import json
import shutil
from pathlib import Path
from typing import Any

from conformance.history import Event
from conformance.report.model import CheckResult, Report
from conformance.report.recorded import HISTORY_FILE, recorded
from conformance.verdict import Verdict


def many(report: Report, folder: Path, to: Path, number: int = 200) -> Report:
    """The report with so many failing checks, in a folder of its own; `folder` has a run with a check that failed."""
    failed = report.with_verdict(Verdict.FAIL)[0]
    known = recorded(folder)
    shutil.copytree(folder / "evidence" / failed.id, to / "evidence" / failed.id)
    rows: list[dict[str, Any]] = []
    for n in range(number):
        rows += [_row(event, failed.id, n, len(rows) + i) for i, event in enumerate(known.of_check[failed.id])]
    (to / HISTORY_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return report.model_copy(update={"checks": [_named(failed, n) for n in range(number)]})


def _named(result: CheckResult, n: int) -> CheckResult:
    return result.model_copy(update={"id": f"{result.id}_{n}", "area": f"area-{n // 25}"})


def _row(event: Event, id: str, n: int, seq: int) -> dict[str, Any]:
    """An event of the check once more, some seconds later, as one of the check of that number."""
    own = {key: f"{id}_{n}" for key in ("id", "check") if event[key] == id}
    return {"seq": seq, "time": event.time + 10.0 * n, "kind": event.kind, **event.data, **own}
