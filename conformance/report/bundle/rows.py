"""What a bundle claims, row by row: the behaviours of profile kep-5970, then the obligations that were looked at."""

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.report.behaviours import behaviours
from conformance.report.model import Report
from conformance.report.obligations import State, standings
from conformance.verdict import Verdict

IMPLEMENTED, PARTIALLY, NOT_IMPLEMENTED, NOT_APPLICABLE = (
    "Implemented",
    "Partially Implemented",
    "Not Implemented",
    "N/A",
)
"""The words of the checklist of the CNCF's AI conformance programme for `status`; what was not judged has none."""

_OF_VERDICTS = {
    Verdict.PASS: IMPLEMENTED,
    Verdict.INFO: IMPLEMENTED,
    Verdict.WARN: PARTIALLY,
    Verdict.WAIVED: PARTIALLY,
    Verdict.FAIL: NOT_IMPLEMENTED,
    Verdict.NOT_APPLICABLE: NOT_APPLICABLE,
}
_OF_STATES = {
    State.HELD: IMPLEMENTED,
    State.WAIVED: PARTIALLY,
    State.BROKEN: NOT_IMPLEMENTED,
    State.NOT_APPLICABLE: NOT_APPLICABLE,
    State.NOTED: NOT_APPLICABLE,
}


@dataclass(frozen=True)
class Row:
    """One entry of a checklist; `status` is "" for what was not judged, and `notes` say so."""

    id: str
    description: str
    level: str
    status: str
    evidence: tuple[str, ...]
    notes: str


def behaviour_rows(report: Report) -> Iterator[Row]:
    """The seven behaviours, where the run was about them."""
    for standing in behaviours(report):
        status = _OF_VERDICTS.get(standing.verdict, "")
        said = standing.remark or f"{standing.verdict.value}: {standing.verdict.meaning}"
        checks = standing.behaviour.checks
        title = standing.behaviour.title
        yield Row(f"kep_5970_{standing.behaviour.number}", title, "MUST", status, _links(checks), said)


def obligation_rows(report: Report) -> Iterator[Row]:
    """Each obligation of the contract that a check of the run covers."""
    for standing in standings(report):
        asked = standing.requirement
        checks = tuple(check.id for check in standing.checks)
        status = _OF_STATES.get(standing.state, "")
        notes = f"{standing.state}: {standing.state.meaning} Source: {asked.source}"
        yield Row(asked.id, asked.statement, asked.level.value, status, _links(checks), notes)


def _links(checks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"./index.html#{id}" for id in checks)
