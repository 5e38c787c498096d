"""What waivers make of a run's checks: a finding that one covers is marked, and a verdict that only such findings led
to becomes WAIVED. Nothing else of a run changes: what needs a check that is broken stays BLOCKED."""

from collections.abc import Iterable, Iterator, Sequence

from conformance.report.model import CheckResult, FindingRecord, Report, WaiversRecord, WaiverState, WaiverUse
from conformance.requirement import Level
from conformance.verdict import Verdict
from conformance.waivers.matching import about, means
from conformance.waivers.model import Waiver, Waivers

LEVEL = {Verdict.FAIL: Level.MUST, Verdict.WARN: Level.SHOULD}
"""The level whose findings lead to a verdict that can be waived."""
_ENDED_WELL = (Verdict.PASS, Verdict.WARN, Verdict.INFO)


def covered(result: CheckResult, waivers: Waivers | None) -> CheckResult:
    """The check as it stands with these waivers, whatever others it has been held against before."""
    bare = uncovered(result)
    if waivers is None or bare.verdict not in LEVEL:
        return bare
    findings = [_marked(bare.id, finding, waivers) for finding in bare.findings]
    decisive = [f for f in findings if not f.holds and f.level is LEVEL[bare.verdict]]
    if not decisive or not all(finding.waived for finding in decisive):
        return bare.model_copy(update={"findings": findings})
    told = "; ".join(dict.fromkeys(str(finding.waived) for finding in decisive))
    return bare.model_copy(update={"findings": findings, "verdict": Verdict.WAIVED, "message": told})


def uncovered(result: CheckResult) -> CheckResult:
    """The check as its run has judged it."""
    findings = [finding.model_copy(update={"waived": None}) for finding in result.findings]
    if result.verdict is not Verdict.WAIVED:
        return result.model_copy(update={"findings": findings})
    verdict = result.unwaived
    decisive = [f for f in findings if not f.holds and f.level is LEVEL[verdict]]
    told = "; ".join(f"{f.requirement} ({f.level}): expected that {f.sentence}" for f in decisive)
    return result.model_copy(update={"findings": findings, "verdict": verdict, "message": told})


def record(results: Sequence[CheckResult], waivers: Waivers) -> WaiversRecord:
    """What has become of each waiver in a run with these checks."""
    bare: dict[str, list[CheckResult]] = {}
    for result in results:
        bare.setdefault(result.id, []).append(uncovered(result))
    uses = [
        WaiverUse(**dict(waiver), line=line, state=_state(waiver, bare.get(waiver.check, []), waivers))
        for line, waiver in zip(waivers.lines, waivers.findings, strict=True)
    ]
    return WaiversRecord(file=waivers.file, sha256=waivers.sha256, day=waivers.day.isoformat(), findings=uses)


def waives_must(checks: Iterable[CheckResult]) -> list[CheckResult]:
    """The checks in which a broken MUST is waived."""
    return [result for result in checks if result.verdict is Verdict.WAIVED and result.unwaived is Verdict.FAIL]


def notes(known: WaiversRecord | None) -> list[str]:
    """What whoever keeps the file has to know, a sentence each."""
    return list(_notes(known)) if known else []


def by_state(report: Report, state: WaiverState) -> list[WaiverUse]:
    """The waivers of a run that have come to this."""
    return [use for use in report.waivers.findings if use.state is state] if report.waivers else []


def _marked(check: str, finding: FindingRecord, waivers: Waivers) -> FindingRecord:
    if finding.holds:
        return finding
    valid = (w for w in waivers.findings if w.expires >= waivers.day and means(w, check, finding))
    waiver = next(valid, None)
    return finding.model_copy(update={"waived": waiver.waived}) if waiver else finding


def _state(waiver: Waiver, mine: Sequence[CheckResult], waivers: Waivers) -> WaiverState:
    """`mine`: the results of its check, uncovered."""
    if waiver.expires < waivers.day:
        return WaiverState.EXPIRED
    if any(means(waiver, result.id, f) for result in mine if result.verdict in LEVEL for f in result.missed):
        return WaiverState.WAIVES
    return WaiverState.GONE if mine and all(_judged(waiver, result) for result in mine) else WaiverState.NOT_JUDGED


def _judged(waiver: Waiver, result: CheckResult) -> bool:
    """Whether the check got as far as this; one that has failed ended where it did, and may have been there before."""
    if result.verdict in _ENDED_WELL:
        return True
    return result.verdict is Verdict.FAIL and any(f.holds and about(waiver, result.id, f) for f in result.findings)


def _notes(known: WaiversRecord) -> Iterator[str]:
    for use in known.findings:
        what = f"{known.file}:{use.line}: the waiver of {use.requirement} in {use.check}"
        if use.state is WaiverState.EXPIRED:
            yield f"{what} expired on {use.expires} and covers nothing; {use.owner} is to mend it, see {use.issue}"
        elif use.state is WaiverState.GONE:
            yield f"{what} is not needed, an unexpected pass: its check ran and did not find this; delete it"
    idle = [use for use in known.findings if use.state is WaiverState.NOT_JUDGED]
    if idle:
        several = ", ".join(dict.fromkeys(use.check for use in idle))
        yield f"{known.file}: not known whether still needed, as their checks did not get that far: {several}"
