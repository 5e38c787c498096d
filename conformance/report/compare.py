"""Two reports of one driver held against each other: what broke, what was mended, what is new, gone or slower."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from conformance.report.markdown import escaped
from conformance.report.model import CheckResult, Report
from conformance.report.obligations import headline
from conformance.report.text import amount, duration, visible
from conformance.verdict import Verdict
from conformance.waivers.matching import general

_BAD = {Verdict.FAIL: 2, Verdict.WARN: 1}
_SILENT = (Verdict.INCONCLUSIVE, Verdict.BLOCKED, Verdict.NOT_RUN, Verdict.NOT_APPLICABLE)
SLOWER_FACTOR, SLOWER_SECONDS = 1.5, 1.0
"""A check is slower that takes this many times as long, and this many seconds more."""


class Change(StrEnum):
    """What has become of a check; the order is that of their weight."""

    BROKEN = "broken"
    LOST = "no longer judged"
    UNWAIVED = "no longer waived"
    MENDED = "mended"
    WAIVED = "waived"
    JUDGED = "judged for the first time"
    NEW = "new"
    GONE = "gone"
    SLOWER = "slower"


@dataclass(frozen=True)
class Row:
    """One check that is not as it was; old or new is None where only the other report has it."""

    key: str
    old: CheckResult | None
    new: CheckResult | None

    @property
    def any(self) -> CheckResult:
        """The newer of both."""
        result = self.new or self.old
        assert result is not None
        return result

    @property
    def verdicts(self) -> str:
        """What it was and what it is: `PASS → FAIL`."""
        return " → ".join(str(each.verdict) for each in (self.old, self.new) if each)

    @property
    def times(self) -> str:
        """How long it took and takes: `0.4 s → 3.1 s`."""
        return " → ".join(duration(each.seconds) for each in (self.old, self.new) if each)


@dataclass(frozen=True)
class Comparison:
    """All changes, by kind; every kind is there. `notes` say in what else the runs differ."""

    old: Report
    new: Report
    changes: Mapping[Change, list[Row]]
    notes: Sequence[str] = field(default_factory=list)

    @property
    def status(self) -> int:
        """1 when something broke, 6 when something is no longer judged or gone, else 0."""
        if self.changes[Change.BROKEN]:
            return 1
        return 6 if self.changes[Change.LOST] or self.changes[Change.GONE] else 0


def compare(old: Report, new: Report) -> Comparison:
    """Hold a newer report against an older one."""
    before, after = _by_key(old), _by_key(new)
    changes: dict[Change, list[Row]] = {change: [] for change in Change}
    for key in dict.fromkeys([*after, *before]):
        row = Row(key, before.get(key), after.get(key))
        for change in _changes(row):
            changes[change].append(row)
    return Comparison(old, new, changes, _notes(old, new))


def _by_key(report: Report) -> dict[str, CheckResult]:
    """Checks by id; those that run with several parameters by that, too."""
    return {f"{r.id}{r.node_id[r.node_id.find('[') :] if '[' in r.node_id else ''}": r for r in report.checks}


def _changes(row: Row) -> list[Change]:
    if row.old is None:
        return [Change.NEW, *([Change.BROKEN] if row.any.verdict is Verdict.FAIL else [])]
    if row.new is None:
        return [Change.GONE]
    changes = []
    old, new = row.old.unwaived, row.new.unwaived  # a waiver mends nothing
    if _BAD.get(new, 0) > _BAD.get(old, 0):
        changes.append(Change.BROKEN)
    elif new in _SILENT and old not in _SILENT:
        changes.append(Change.LOST)
    elif _BAD.get(new, 0) < _BAD.get(old, 0):
        changes.append(Change.MENDED)
    elif old in _SILENT and new not in _SILENT:
        changes.append(Change.JUDGED)
    elif row.old.verdict is not row.new.verdict and Verdict.WAIVED in (row.old.verdict, row.new.verdict):
        changes.append(_waiving(row.old, row.new))
    limit = max(row.old.seconds * SLOWER_FACTOR, row.old.seconds + SLOWER_SECONDS)
    if not {old, new} & {*_SILENT} and row.new.seconds > limit:
        changes.append(Change.SLOWER)
    return changes


def _waiving(old: CheckResult, new: CheckResult) -> Change:
    """What has changed where the same verdict is waived in one of both: with it there may be a finding that is new."""
    if new.verdict is Verdict.WAIVED:
        return Change.WAIVED
    known = {(f.requirement, general(f.sentence)) for f in old.missed}
    others = [f for f in new.missed if not f.waived and (f.requirement, general(f.sentence)) not in known]
    return Change.BROKEN if others else Change.UNWAIVED


def _notes(old: Report, new: Report) -> list[str]:
    before, after = _facts(old), _facts(new)
    return [f"{name}: {before[name]} → {after[name]}" for name in before if before[name] != after[name]]


def _facts(report: Report) -> dict[str, str]:
    return {
        "driver": f"{report.driver.name} {report.driver.version}".strip(),
        "cluster": f"{report.cluster.get('kind')} {report.cluster.get('kubernetes', '')}".strip(),
        "suite": report.suite.version,
        "catalogue": report.suite.catalogue[:12],
        "tier": report.tier,
    }


def as_text(comparison: Comparison) -> str:
    """The comparison for a terminal."""
    lines = [f"old  {headline(comparison.old)}", f"new  {headline(comparison.new)}", *comparison.notes, ""]
    for change, rows in comparison.changes.items():
        lines += [f"{change.upper()}  {amount(len(rows), 'check')}"] if rows else []
        lines += [f"  {row.key}  {_told(change, row)}" for row in rows]
    return visible("\n".join([*lines, summary(comparison)])) + "\n"


def summary(comparison: Comparison) -> str:
    """Counts in one line: `1 broken, 2 mended, 108 unchanged`."""
    touched = {row.key for rows in comparison.changes.values() for row in rows}
    same = len(_by_key(comparison.new).keys() - touched)
    parts = [f"{len(rows)} {change}" for change, rows in comparison.changes.items() if rows]
    return ", ".join([*parts, f"{same} unchanged"])


def as_markdown(comparison: Comparison) -> str:
    """The comparison as a comment of a pull request: what broke is open, the rest is folded."""
    name = escaped(comparison.new.driver.name)
    lines = [f"### DRA conformance of {name}: {summary(comparison)}", ""]
    lines += [f"- old: {escaped(headline(comparison.old))}", f"- new: {escaped(headline(comparison.new))}"]
    lines += [f"- {escaped(note)}" for note in comparison.notes]
    for change, rows in comparison.changes.items():
        lines += ["", *_block(change, rows)] if rows else []
    return "\n".join(lines) + "\n"


def _block(change: Change, rows: Sequence[Row]) -> list[str]:
    head = f"{change.capitalize()}: {amount(len(rows), 'check')}"
    table = ["| check | | what it says |", "|---|---|---|"]
    table += [f"| `{row.key}` | {_told(change, row)} | {_cell(row)} |" for row in rows]
    if change in (Change.BROKEN, Change.LOST):
        return [f"**{head}**", "", *table]
    return [f"<details><summary>{head}</summary>", "", *table, "", "</details>"]


def _told(change: Change, row: Row) -> str:
    return row.times if change is Change.SLOWER else row.verdicts


def _cell(row: Row) -> str:
    result = row.any
    missed = [f"expected that {f.sentence} ({f.requirement}, {f.level})" for f in result.missed]
    return escaped("; ".join(missed) or result.title)
