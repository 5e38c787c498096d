"""Blocked checks by what is at the root of it: one failure can block most of a run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from conformance.report.model import CheckResult, Report
from conformance.report.text import amount
from conformance.verdict import Verdict

_PASSED = (Verdict.PASS, Verdict.WARN, Verdict.INFO)
_SILENT = (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN)


@dataclass(frozen=True)
class Blocked:
    """Checks that wait in the end for the same. `root` is that check; None when the report does not have it."""

    needs: str
    root: CheckResult | None
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def subject(self) -> str:
        """How many they are, and the verb that what they need follows: `1 check needs`, `3 checks need`."""
        return f"{amount(len(self.checks), 'check')} {'needs' if len(self.checks) == 1 else 'need'}"


def blocked(report: Report) -> list[Blocked]:
    """The blocked checks, grouped by their roots, in the order in which they ran."""
    by_id = {result.id: result for result in report.checks}
    groups: dict[str, Blocked] = {}
    for result in report.with_verdict(Verdict.BLOCKED):
        last = _last(by_id, result)
        root = None if last.verdict is Verdict.BLOCKED else last
        needs = root.id if root else ", ".join(last.needs) or "another check"
        groups.setdefault(needs, Blocked(needs, root)).checks.append(result)
    return list(groups.values())


def by_waived(checks: Iterable[CheckResult]) -> set[str]:
    """Ids of the checks that are blocked by nothing but findings that are waived."""
    cases: dict[str, list[CheckResult]] = {}
    for result in checks:
        cases.setdefault(result.id, []).append(result)

    def excused(id: str, above: frozenset[str] = frozenset()) -> bool:
        needed = {need for result in cases[id] for need in result.needs if need in cases} - above
        bad = [(need, result) for need in needed for result in cases[need] if result.unwaived not in _PASSED]
        told = [(need, result) for need, result in bad if result.verdict not in _SILENT]
        return bool(told) and all(
            result.verdict is Verdict.WAIVED or (result.verdict is Verdict.BLOCKED and excused(need, above | {id}))
            for need, result in told
        )

    return {id for id in cases if any(r.verdict is Verdict.BLOCKED for r in cases[id]) and excused(id)}


def _last(by_id: Mapping[str, CheckResult], result: CheckResult) -> CheckResult:
    """The first check on the way of needs that is not blocked, or else the last one that is known."""
    for _ in by_id:  # no way is longer
        bad = [by_id[id] for id in result.needs if id in by_id and by_id[id].unwaived not in _PASSED]
        if result.verdict is not Verdict.BLOCKED or not bad:
            break
        result = bad[0]
    return result
