"""A report held against its history: every verdict and every finding must be what was recorded."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

from conformance.history import HISTORY_FILE as HISTORY
from conformance.history import MAX_CHARACTERS
from conformance.redact import MASK
from conformance.report.derive import Derived, Row
from conformance.report.model import CheckResult, FindingRecord, Outcome, Report
from conformance.report.waived import covered, record, uncovered
from conformance.verdict import Verdict
from conformance.waivers.model import Waivers

_WAIVABLE = (Verdict.FAIL, Verdict.WARN)
_MOMENT = 60.0  # seconds
_CUT_SHORT = (Outcome.INTERRUPTED, Outcome.ERROR)


def against_history(report: Report, checks: Sequence[Derived]) -> Iterator[str]:
    """What differs, one sentence each."""
    recorded: defaultdict[str, list[Derived]] = defaultdict(list)
    for check in checks:
        recorded[check.node_id].append(check)
    for result in report.checks:
        found = recorded.pop(result.node_id, [])
        if len(found) == 1:
            yield from _one(result, found[0])
        elif found:
            yield f"{HISTORY} has {result.id} {len(found)} times"
        elif result.verdict is not Verdict.INCONCLUSIVE:  # a worker may die before a check begins
            yield f"{result.id} is {result.verdict}, and {HISTORY} has no trace of it"
    for check in (check for checks in recorded.values() for check in checks):
        if check.told and report.outcome not in _CUT_SHORT:
            yield f"{check.id} ended with {check.verdict} by {HISTORY}, and is missing here"


def against_waivers(report: Report, checks: Sequence[Derived], event: Row | None) -> Iterator[str]:
    """What is waived must be what the waivers that the history has cover, held against its findings once more."""
    try:
        waivers = Waivers.of(event) if event else None
    except (KeyError, TypeError, ValueError):
        yield f"{HISTORY} has waivers that no run of this version writes"
        return
    derived = {check.node_id: check for check in checks}
    bare = [_bare(result, derived.get(result.node_id)) for result in report.checks]
    for result, there in zip(report.checks, (covered(each, waivers) for each in bare), strict=True):
        if not _waives_the_same(result, there):
            source = f"the waivers in {HISTORY}" if waivers else f"{HISTORY}, which has no waivers,"
            yield f"{result.id} has other findings waived than {source} cover: it is {there.verdict}"
    if waivers and not _within(report, waivers.day):
        yield f"has waivers that were held against {waivers.day}, which is no day of the run"
    if report.waivers != (record(bare, waivers) if waivers else None):
        yield f"says something else of its waivers than follows from those in {HISTORY}"


def _within(report: Report, day: date) -> bool:
    """Whether the run was on that day (UTC); waivers are read a moment before it begins."""
    first, last = report.started - _MOMENT, report.finished or report.started
    return datetime.fromtimestamp(first, UTC).date() <= day <= datetime.fromtimestamp(last, UTC).date()


def _bare(result: CheckResult, known: Derived | None) -> CheckResult:
    """The check without waivers, as the history has it."""
    bare = uncovered(result)
    return bare.model_copy(update={"verdict": known.verdict, "findings": known.findings}) if known else bare


def _waives_the_same(result: CheckResult, there: CheckResult) -> bool:
    waived = [finding.waived for finding in result.findings], [finding.waived for finding in there.findings]
    return waived[0] == waived[1] and (result.verdict is Verdict.WAIVED) == (there.verdict is Verdict.WAIVED)


def _one(result: CheckResult, check: Derived) -> Iterator[str]:
    waived = result.verdict is Verdict.WAIVED and check.verdict in _WAIVABLE
    if result.verdict is not check.verdict and not waived:
        yield f"{result.id} is {result.verdict}, and what {HISTORY} holds of it makes it {check.verdict}"
    elif check.told not in (None, check.verdict):
        yield f"{result.id} is {result.verdict}, and {HISTORY} says at its end {check.told}"
    facts = {"id": check.id, "tier": check.tier, "covers": check.covers}
    for name, value in facts.items():
        if getattr(result, name) != value:
            yield f"{result.id} has another {name} than {HISTORY}: {getattr(result, name)!r}, there {value!r}"
    if check.told and len(result.findings) != len(check.findings):
        yield f"{result.id} has {len(result.findings)} findings, and {HISTORY} has {len(check.findings)} of it"
    elif check.told:
        changed = [a for a, b in zip(result.findings, check.findings, strict=True) if not _same(a, b)]
        if changed:
            yield f"{result.id} has another finding on {changed[0].requirement} than {HISTORY}"


def _same(told: FindingRecord, recorded: FindingRecord) -> bool:
    """Long texts are cut in a history; and what has become known as a secret since then is only hidden here."""
    a, b = _plain(told), _plain(recorded)
    return a == b or (MASK in json.dumps(a) and {**a, "got": 0, "want": 0} == {**b, "got": 0, "want": 0})


def _plain(finding: FindingRecord) -> dict[str, Any]:
    return dict(_beginnings(finding.model_dump(mode="json", exclude={"waived"})))


def _beginnings(value: Any) -> Any:
    """Of long texts what both have of them: how much more there was is told by each in its own words."""
    if isinstance(value, dict):
        return {key: _beginnings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_beginnings(item) for item in value]
    return value[:MAX_CHARACTERS] if isinstance(value, str) else value
