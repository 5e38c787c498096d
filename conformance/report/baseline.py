"""A file of waivers for everything that a run has found, written from its report."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import yaml

from conformance.report.model import CheckResult, FindingRecord, Report
from conformance.report.text import visible
from conformance.report.waived import LEVEL, uncovered
from conformance.waivers.matching import general, seen
from conformance.waivers.model import Waived, Waiver

_FIRST = ("check", "requirement", "expected", "observed")
_MOST = 100  # characters of what was observed, in a comment


@dataclass(frozen=True)
class Present:
    """A finding of a report, and the waiver for it."""

    finding: FindingRecord
    waiver: Waiver


def present(reports: Sequence[Report], given: Waived, *, observed: bool = False) -> list[Present]:
    """Each finding once, in the order in which checks ran; what is waived already keeps its owner, reason and day.

    given: for the others; observed: whether the waivers are only good for what was observed in these runs.
    """
    found: dict[tuple[str, str, str], Present] = {}
    for result in (result for report in reports for result in report.checks):
        for finding in _missed(result):
            waiver = _waiver(result, finding, given, observed)
            key = (waiver.check, waiver.requirement, waiver.expected)
            known = found.get(key)
            if known and observed:
                seen_before = [*(known.waiver.observed or ()), *(waiver.observed or ())]
                waiver = known.waiver.model_copy(update={"observed": list(dict.fromkeys(seen_before))})
            found[key] = Present(finding, waiver if observed or not known else known.waiver)
    return list(found.values())


def baseline_text(reports: Sequence[Report], found: list[Present]) -> str:
    """The file: YAML that says of each finding what was observed."""
    drivers = ", ".join(dict.fromkeys(_line(report.driver.name) for report in reports))
    days = ", ".join(sorted({str(_day(report)) for report in reports}))
    lines = [
        f"# Findings of {drivers} in runs of {days}, each with who answers for it.",
        "# docs/waivers.md says what a waiver does. Mend what can be mended, and delete its entry.",
        "findings:" if found else "findings: []",
    ]
    for each in found:
        entry = {key: value for key, value in each.waiver.model_dump().items() if value is not None}
        ordered = {key: entry[key] for key in (*[key for key in _FIRST if key in entry], *entry)}
        text = yaml.safe_dump([ordered], sort_keys=False, allow_unicode=True, width=110)
        lines += [f"  # {each.finding.level}, observed: {_observed(each.finding)}"]
        lines += [f"  {line}" for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def _missed(result: CheckResult) -> Iterator[FindingRecord]:
    bare = uncovered(result)
    if bare.verdict in LEVEL:
        yield from (f for f in result.missed if f.level in LEVEL.values())


def _waiver(result: CheckResult, finding: FindingRecord, given: Waived, observed: bool) -> Waiver:
    facts = dict(finding.waived or given)
    texts = list(dict.fromkeys(general(text)[:2000] or "*" for text in seen(finding))) if observed else None
    named = {"check": result.id, "requirement": finding.requirement, "expected": general(finding.sentence)}
    return Waiver.model_validate({**facts, **named, "observed": texts or None})


def _observed(finding: FindingRecord) -> str:
    text = _line(finding.got if isinstance(finding.got, str) else json.dumps(finding.got, ensure_ascii=False))
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def _line(text: str) -> str:
    """Text of a driver in a comment: on one line, so that no part of it becomes an entry."""
    return visible(" ".join(text.split()))


def _day(report: Report) -> date:
    return datetime.fromtimestamp(report.started, UTC).date()
