"""What a run of the profile kep-5970 says of each of its seven behaviours."""

from dataclasses import dataclass

from conformance.kep5970 import BEHAVIOURS, PROFILE, Behaviour
from conformance.report.model import Report
from conformance.verdict import Verdict


@dataclass(frozen=True)
class Standing:
    """One behaviour, the verdict that its checks come to, and what they say where that is not PASS."""

    behaviour: Behaviour
    verdict: Verdict
    remark: str


def behaviours(report: Report) -> list[Standing]:
    """The seven, in order; none where the profile was not asked for."""
    if PROFILE not in report.profiles:
        return []
    results = {result.id: result for result in report.checks}
    verdicts = {id: result.verdict for id, result in results.items()}
    rows = []
    for behaviour in BEHAVIOURS:
        verdict = behaviour.standing(verdicts)
        spoken = [results[id] for id in behaviour.checks if id in results and results[id].verdict is verdict]
        remark = spoken[0].message if spoken and verdict is not Verdict.PASS else ""
        rows.append(Standing(behaviour, verdict, remark.strip().partition("\n")[0]))
    return rows
