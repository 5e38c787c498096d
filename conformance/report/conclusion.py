"""What a run says in the end: its outcome, and its exit status, from how it ended and from its checks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.check import VENDOR
from conformance.report.blocked import by_waived
from conformance.report.model import CheckResult, Outcome
from conformance.report.waived import waives_must
from conformance.requirement import Level
from conformance.verdict import Verdict

GOOD = (Outcome.CONFORMANT, Outcome.SELECTION, Outcome.WAIVED)
"""Outcomes of runs in which nothing is broken but what waivers cover."""
INTERRUPTED, INTERNAL, USAGE, NOTHING, INCONCLUSIVE, INCOMPLETE = 2, 3, 4, 5, 6, 7


@dataclass(frozen=True)
class Ending:
    """How a run ended, as far as it matters for what it says.

    raw: the status that pytest would exit with; errors: failures of the harness itself; verdicts: by check id;
    missing: selected checks without a verdict; must_held: MUST obligations that were seen to hold; vendor_failed,
    vendor_unsure: checks of vendors that failed, or could not judge; others_failed: failed tests that are no checks;
    selection: why this is not the whole; published: whether the driver was seen to publish a device; waived: checks
    in which a broken MUST is waived; excused: checks that are blocked by nothing else.
    """

    raw: int
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    missing: Sequence[str] = ()
    errors: Sequence[str] = ()
    interrupted: str = ""
    must_held: int = 0
    vendor_failed: Sequence[str] = ()
    vendor_unsure: Sequence[str] = ()
    others_failed: int = 0
    selection: str = ""
    published: bool = True
    waived: Sequence[str] = ()
    excused: Collection[str] = ()


def ending(checks: Sequence[CheckResult], *, missing: Sequence[str] = (), selection: str = "", raw: int = 0) -> Ending:
    """What the checks say of a run's end; those of vendors count only where there are no others."""
    ours = [result for result in checks if not result.profile.startswith(VENDOR)]
    vendors = [result for result in checks if result.profile.startswith(VENDOR)]
    if vendors and not ours and not missing:
        ours, vendors, selection = vendors, [], "only checks of vendors ran"
    excused = by_waived(checks)
    return Ending(
        raw=raw,
        verdicts={_name(r): r.verdict for r in ours},
        missing=missing,
        must_held=sum(f.level is Level.MUST and f.holds for r in ours for f in r.findings),
        vendor_failed=[r.id for r in vendors if r.verdict is Verdict.FAIL],
        vendor_unsure=[
            r.id for r in vendors if r.verdict in (Verdict.INCONCLUSIVE, Verdict.BLOCKED) and r.id not in excused
        ],
        selection=selection,
        waived=[r.id for r in waives_must(ours)],
        excused={_name(r) for r in ours if r.id in excused},
    )


def _name(result: CheckResult) -> str:
    """Its id, or with parameters that of its node."""
    return result.node_id if "[" in result.node_id else result.id


@dataclass(frozen=True)
class Conclusion:
    """Outcome, exit status, and the reason in a few words."""

    outcome: Outcome
    status: int
    reason: str


def conclude(ending: Ending) -> Conclusion:
    """The conclusion of a run, by the precedence of the outcomes."""
    conclusion = _of_the_run(ending) or _of_the_checks(ending)
    others = [f"{ending.others_failed} other tests failed"] if ending.others_failed else []
    others += [f"{name} failed" for name in ending.vendor_failed]
    if others and conclusion.status in (0, INCONCLUSIVE, INCOMPLETE, NOTHING):
        reason = "; ".join(filter(None, [conclusion.reason, *others]))
        return Conclusion(conclusion.outcome, 1, reason)
    if ending.vendor_unsure and conclusion.status == 0:
        reason = "; ".join(filter(None, [conclusion.reason, f"could not be judged: {_names(ending.vendor_unsure)}"]))
        return Conclusion(conclusion.outcome, INCONCLUSIVE, reason)
    return conclusion


def _of_the_run(ending: Ending) -> Conclusion | None:
    """What the run itself says, whatever the checks say."""
    if ending.errors or ending.raw == INTERNAL:
        return Conclusion(Outcome.ERROR, INTERNAL, (ending.errors or ["pytest ended with an internal error"])[0])
    if ending.interrupted or ending.raw == INTERRUPTED or ending.raw > INCOMPLETE:
        reason = ending.interrupted or "the run was cut short"
        return Conclusion(Outcome.INTERRUPTED, ending.raw if ending.raw > 1 else INTERRUPTED, reason)
    if ending.raw == USAGE:
        return Conclusion(Outcome.ERROR, USAGE, "the command line was not understood")
    if not ending.verdicts and not ending.missing:
        return Conclusion(Outcome.NOTHING, NOTHING, "no check was selected")
    return None


def _of_the_checks(ending: Ending) -> Conclusion:
    failed = _with(ending, Verdict.FAIL)
    if failed:
        return Conclusion(Outcome.NOT_CONFORMANT, 1, f"failed: {_names(failed)}")
    if ending.missing:
        return Conclusion(Outcome.INCOMPLETE, INCOMPLETE, f"did not run: {_names(ending.missing)}")
    blocked = [name for name in _with(ending, Verdict.BLOCKED) if name not in ending.excused]
    unsure = [*_with(ending, Verdict.INCONCLUSIVE), *blocked]
    if unsure:
        return Conclusion(Outcome.INCONCLUSIVE, INCONCLUSIVE, f"could not be judged: {_names(unsure)}")
    if not ending.must_held and not (ending.waived and ending.selection):  # who asked for a waived one has its answer
        return Conclusion(Outcome.INCONCLUSIVE, INCONCLUSIVE, "no MUST was seen to hold, so nothing is proved")
    if not ending.published:
        return Conclusion(Outcome.INCONCLUSIVE, INCONCLUSIVE, "the driver has published no device")
    if ending.waived:
        return Conclusion(Outcome.WAIVED, 0, f"waived: {_names(ending.waived)}")
    if ending.selection:
        return Conclusion(Outcome.SELECTION, 0, ending.selection)
    return Conclusion(Outcome.CONFORMANT, 0, "")


def _with(ending: Ending, verdict: Verdict) -> list[str]:
    return [name for name, given in ending.verdicts.items() if given is verdict]


def _names(names: Sequence[str], limit: int = 5) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
