"""What a report says per obligation, and the one line that sums a run up."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from conformance.check import VENDOR
from conformance.report.model import CheckResult, Outcome, Report, RequirementRecord
from conformance.report.text import amount
from conformance.requirement import Level
from conformance.verdict import Verdict

_CORE = "core"
_MANY = 3


class State(StrEnum):
    """What a run says about one obligation."""

    BROKEN = "broken"
    HELD = "held"
    WAIVED = "waived"
    NOTED = "not used"
    UNJUDGED = "not judged"
    NOT_APPLICABLE = "not applicable"

    @property
    def meaning(self) -> str:
        """The state's definition in one sentence, as reports print it."""
        return _MEANING[self]


_MEANING = {
    State.BROKEN: "At least one check saw it broken.",
    State.HELD: "At least one check judged it, and none saw it broken.",
    State.WAIVED: "It was seen broken, and a waiver covers that.",
    State.NOTED: "A MAY that the driver makes no use of; nothing is broken.",
    State.UNJUDGED: "It applies, but no check got as far as judging it.",
    State.NOT_APPLICABLE: "Every check that covers it is about something that the driver does not offer.",
}


@dataclass(frozen=True)
class Standing:
    """One obligation, its state, and the checks that cover it."""

    requirement: RequirementRecord
    state: State
    checks: tuple[CheckResult, ...]


def standings(report: Report) -> list[Standing]:
    """Every obligation that the report's checks cover, in the catalogue's order; those of vendors do not count."""
    covering: dict[str, list[CheckResult]] = {r.id: [] for r in report.requirements}
    for result in (result for result in report.checks if not result.profile.startswith(VENDOR)):
        for name in result.covers:
            if name in covering:
                covering[name].append(result)
    covered = [r for r in report.requirements if covering[r.id]]
    return [Standing(r, _state(r, covering[r.id]), tuple(covering[r.id])) for r in covered]


def tally(report: Report, level: Level) -> dict[State, int]:
    """How many obligations of one level are in each state; every state is there, also with 0."""
    seen = Counter(s.state for s in standings(report) if s.requirement.level is level)
    return {state: seen[state] for state in State}


def applicable(counted: Mapping[State, int]) -> int:
    """How many of the obligations counted are not about something that the driver does not offer."""
    return sum(counted.values()) - counted[State.NOT_APPLICABLE]


def broken(report: Report, level: Level) -> list[str]:
    """Ids of the obligations of one level that are broken, in the catalogue's order."""
    return _in(report, level, State.BROKEN)


def _in(report: Report, level: Level, state: State) -> list[str]:
    return [s.requirement.id for s in standings(report) if s.requirement.level is level and s.state is state]


def headline(report: Report) -> str:
    """The run in one line: its outcome and the reason for it."""
    return _HEADLINES[report.outcome](report)


def short_headline(report: Report) -> str:
    """The same, counting features where there are many, for a place that lists them beside it."""
    features = [profile for profile in report.profiles if profile != _CORE]
    if len(features) < _MANY or _CORE not in report.profiles:
        return headline(report)
    return headline(report.model_copy(update={"profiles": [f"{_CORE} and {len(features)} features"]}))


def not_offered(report: Report) -> list[str]:
    """Profiles of optional features that the driver does not offer: each of their checks says so or did not run."""
    silent = (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.BLOCKED)
    seen: dict[str, list[Verdict]] = {}
    for result in report.checks:
        if result.profile != _CORE and not result.profile.startswith(VENDOR):
            seen.setdefault(result.profile, []).append(result.verdict)
    return [
        name for name, verdicts in seen.items() if Verdict.NOT_APPLICABLE in verdicts and set(verdicts) <= {*silent}
    ]


def exit_meaning(report: Report) -> str:
    """What the run's exit status says, in a few words; empty when there is none."""
    if report.exit_status is None:
        return ""
    if report.exit_status == 1 and report.outcome is not Outcome.NOT_CONFORMANT:
        return report.reason or "something that is no conformance check failed"
    if report.exit_status == 0 and report.outcome is Outcome.WAIVED:
        return "each MUST that is broken is covered by a waiver"
    if report.exit_status == 6:
        return f"{_none_broken(report)}, but some could not be judged"
    return EXIT_MEANINGS.get(report.exit_status, report.reason or "the run was cut short")


EXIT_MEANINGS: Mapping[int, str] = {
    0: "every selected MUST that applies holds",
    1: "a MUST is broken",
    2: "interrupted",
    3: "internal error",
    4: "the command or the driver file is wrong",
    5: "no check was collected",
    6: "no MUST is broken, but some could not be judged",
    7: "a selected check whose needs are met did not run",
}


def _state(requirement: RequirementRecord, checks: list[CheckResult]) -> State:
    judged = [finding for result in checks for finding in result.findings if finding.requirement == requirement.id]
    missed = [finding for finding in judged if not finding.holds]
    if missed and requirement.level is Level.MAY:
        return State.NOTED
    if missed:
        return State.WAIVED if all(finding.waived for finding in missed) else State.BROKEN
    if judged:
        return State.HELD
    if checks and all(result.verdict is Verdict.NOT_APPLICABLE for result in checks):
        return State.NOT_APPLICABLE
    return State.UNJUDGED


def _conformant(report: Report) -> str:
    return f"Conformant to {_profiles(report)}{_version(report)}: {_musts(report)}"


def _not_conformant(report: Report) -> str:
    names, must = broken(report, Level.MUST), tally(report, Level.MUST)
    said = f"{len(names)} of {applicable(must)} MUST broken ({_some(names)})"
    if not names:
        said = f"{amount(len(report.with_verdict(Verdict.FAIL)), 'check')} failed"
    said += f", {must[State.WAIVED]} more waived" if must[State.WAIVED] else ""
    return f"Not conformant to {_profiles(report)}{_version(report)}: {said}{_missing(report)}"


def _inconclusive(report: Report) -> str:
    unsure = [result.id for result in report.with_verdict(Verdict.INCONCLUSIVE, Verdict.BLOCKED)]
    if not unsure:
        return f"Inconclusive{_because(report) or ': nothing could be judged'}"
    return (
        f"Inconclusive: {_none_broken(report)}, but {amount(len(unsure), 'check')} could not judge ({_some(unsure, 2)})"
    )


def _waived(report: Report) -> str:
    names = _in(report, Level.MUST, State.WAIVED)
    must, blocked = tally(report, Level.MUST), len(report.with_verdict(Verdict.BLOCKED))
    said = f"{len(names)} of {applicable(must)} MUST broken and waived" + (f" ({_some(names)})" if names else "")
    said += f", {must[State.UNJUDGED]} not judged" if must[State.UNJUDGED] else ""
    said += f", {amount(blocked, 'check')} blocked" if blocked else ""
    return f"Waived, and no statement of conformance to {_profiles(report)}{_version(report)}: {said}{_missing(report)}"


def _selection(report: Report) -> str:
    ran = [r for r in report.checks if r.verdict is not Verdict.NOT_RUN]
    return f"Selection of {amount(len(ran), 'check')}, not a statement of conformance: {_musts(report)}"


def _interrupted(report: Report) -> str:
    ran = [r for r in report.checks if r.verdict is not Verdict.NOT_RUN]
    names = [*broken(report, Level.MUST), *_in(report, Level.MUST, State.WAIVED)]
    so_far = f"; broken so far: {_some(names)}" if names else ""
    return f"Interrupted after {amount(len(ran), 'check')}{_because(report)}{so_far}"


def _incomplete(report: Report) -> str:
    return f"Incomplete: {_none_broken(report)} in what ran, but not all checks ran{_because(report, ' – ')}"


_HEADLINES: Mapping[Outcome, Callable[[Report], str]] = {
    Outcome.INTERRUPTED: _interrupted,
    Outcome.ERROR: lambda report: f"No verdict, the suite itself failed{_because(report)}",
    Outcome.NOTHING: lambda report: f"No verdict, no check was collected{_because(report)}",
    Outcome.NOT_CONFORMANT: _not_conformant,
    Outcome.INCOMPLETE: _incomplete,
    Outcome.INCONCLUSIVE: _inconclusive,
    Outcome.WAIVED: _waived,
    Outcome.SELECTION: _selection,
    Outcome.CONFORMANT: _conformant,
}


def _none_broken(report: Report) -> str:
    waived = tally(report, Level.MUST)[State.WAIVED]
    return f"no MUST is broken{' beside those that are waived' if waived else ''}"


def _musts(report: Report) -> str:
    must = tally(report, Level.MUST)
    if not standings(report):
        return "no obligation of the contract was looked at"
    parts = [f"{must[State.HELD]} of {applicable(must)} MUST"]
    others = (State.UNJUDGED, State.WAIVED, State.BROKEN)
    parts += [f"{must[state]} {state}" for state in others if must[state]]
    return ", ".join(parts) + _missing(report)


def _missing(report: Report) -> str:
    """What is no failure and still worth a word in the one line: SHOULD that are broken, features not offered."""
    should, features = tally(report, Level.SHOULD), not_offered(report)
    missed = f", {should[State.BROKEN]} SHOULD missed" if should[State.BROKEN] else ""
    missed += f", {should[State.WAIVED]} SHOULD waived" if should[State.WAIVED] else ""
    return missed + (f", {amount(len(features), 'feature')} not offered" if features else "")


def _profiles(report: Report) -> str:
    return ", ".join(report.profiles) or "the selected profiles"


def _version(report: Report) -> str:
    """The minor version of Kubernetes, as a part of a sentence; empty where it is not known."""
    found = re.match(r"v?(\d+\.\d+)", str(report.cluster.get("kubernetes", "")))
    return f" at {found[1]}" if found else ""


def _because(report: Report, joint: str = ": ") -> str:
    first = report.reason.strip().splitlines()[:1]
    return joint + first[0] if first else ""


def _some(names: list[str], limit: int = 4) -> str:
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")
