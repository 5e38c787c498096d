"""Verdicts derived from a recorded history, without a cluster: what happened in each check, what follows from it."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance import judging
from conformance.parts import is_boundary
from conformance.report.model import FindingRecord
from conformance.requirement import Level
from conformance.verdict import Verdict

Row = dict[str, Any]
_JUDGED = [name for name in FindingRecord.model_fields if name != "waived"]
Levels = Callable[[FindingRecord], Level]


class HistoryError(Exception):
    """A history cannot be read; the text says which line of which file, and why."""


@dataclass
class Derived:
    """One check as the history tells it.

    verdict: what follows from its record; told: what the run said at the check's end, None when it did not end;
    attempts: how often it ended, which is more than once where a plugin tries failed tests again.
    """

    id: str
    node_id: str
    worker: str
    covers: list[str]
    tier: str
    findings: list[FindingRecord] = field(default_factory=list)
    verdict: Verdict = Verdict.INCONCLUSIVE
    told: Verdict | None = None
    attempts: int = 0


@dataclass
class _Open:
    """A check that has begun: how its phases ended so far, and whether our own cluster failed meanwhile."""

    check: Derived
    phases: list[tuple[str, Verdict | None, int]] = field(default_factory=list)
    ours_failed: bool = False


def rows(file: Path) -> Iterator[Row]:
    """The events of a history.jsonl. Raises HistoryError for one that is cut, has a gap or cannot be read."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from rows_of(file, lines)
    except (OSError, UnicodeDecodeError) as error:
        raise HistoryError(f"{file}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def rows_of(file: Path, lines: Iterable[str]) -> Iterator[Row]:
    """The events that are the lines of this file. Raises HistoryError."""
    for number, line in enumerate(lines):
        yield _row(file, number, line)


def derive(events: Iterable[Row], level: Levels = lambda finding: finding.level) -> list[Derived]:
    """The checks of a history in the order in which they began. `level` may judge findings by another catalogue.

    A check that a run was interrupted in is there once, as it ended when the run was gone on with; a MUST that it had
    seen broken before stays so. Raises HistoryError for an event that a run does not write.
    """
    return [_judged(each, level) for each in _read(events)[0]]


def derive_parts(events: Iterable[Row]) -> tuple[list[Derived], dict[str, list[FindingRecord]]]:
    """The same of a run that was interrupted, and by node id the broken MUST of checks that have not ended."""
    found, broken = _read(events)
    return [_judged(each, lambda finding: finding.level) for each in found], broken


def _read(events: Iterable[Row]) -> tuple[list[_Open], dict[str, list[FindingRecord]]]:
    found: list[_Open] = []
    current: dict[tuple[str, str], _Open] = {}
    broken: dict[str, list[FindingRecord]] = {}
    for row in events:
        if is_boundary(row):
            left = [each for each in current.values() if each.check.told is None]
            broken |= {each.check.node_id: missed for each in left if (missed := _broken(each.check.findings))}
            found = [each for each in found if each.check.told is not None]
            current = {}
        worker = str(row.get("worker", ""))
        if row["kind"] == "error":
            for each in current.values():
                each.ours_failed |= each.check.worker == worker and each.check.told is None
        if row["kind"] not in ("check", "expect"):
            continue
        try:
            if row["kind"] == "check" and row["phase"] == "start":
                current[worker, row["id"]] = _Open(_begun(row, worker, broken.pop(row["node_id"], [])))
                found.append(current[worker, row["id"]])
            else:
                _take(current[worker, row["id" if row["kind"] == "check" else "check"]], row)
        except (KeyError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            raise HistoryError(f"event {row['seq']} is none that a run of this version writes ({what})") from None
    return found, broken


def _broken(findings: Iterable[FindingRecord]) -> list[FindingRecord]:
    return [finding for finding in findings if finding.level is Level.MUST and not finding.holds]


def _row(file: Path, number: int, line: str) -> Row:
    if not line.endswith("\n"):
        raise HistoryError(
            f"{file}: ends in the middle of line {number + 1}, so the run was killed or the file was cut"
        )
    try:
        row = json.loads(line)
        good = isinstance(row["kind"], str) and isinstance(row["time"], int | float)
    except (ValueError, KeyError, TypeError, RecursionError):
        good = False
    if not good:
        raise HistoryError(f"{file}: line {number + 1} is no event")
    if row.get("seq") != number:
        raise HistoryError(
            f"{file}: line {number + 1} has seq {row.get('seq')!r} where {number} belongs: events are missing"
        )
    return dict(row)


def _begun(row: Row, worker: str, findings: list[FindingRecord]) -> Derived:
    return Derived(row["id"], row["node_id"], worker, list(row["covers"]), row["tier"], findings)


def _take(opened: _Open, row: Row) -> None:
    check = opened.check
    if row["kind"] == "expect":
        check.findings.append(FindingRecord(**{name: row[name] for name in _JUDGED}))
    elif row["phase"] == "end":
        check.told, check.attempts = Verdict(row["verdict"]), check.attempts + 1
    else:
        opened.phases.append((row["phase"], Verdict(row["says"]) if "says" in row else None, len(check.findings)))


def _judged(opened: _Open, level: Levels) -> Derived:
    check, verdict = opened.check, None
    findings = [finding.model_copy(update={"level": level(finding)}) for finding in check.findings]
    for when, raised, known in opened.phases:
        verdict = judging.after(verdict, when, raised, check.covers, findings[:known])
        if verdict is Verdict.FAIL and opened.ours_failed:
            verdict = Verdict.INCONCLUSIVE
    if check.told is None and verdict is not Verdict.FAIL:
        verdict = None  # it did not come to its end: what it said so far is no verdict
    check.verdict = verdict or Verdict.INCONCLUSIVE
    return check
