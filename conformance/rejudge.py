"""Checks that judge a whole run from its history, run once more over a recorded one, without a cluster."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

from conformance import judging
from conformance.catalogue import Entry, all_checks
from conformance.expect import Expect, Finding
from conformance.history import History
from conformance.parts import earlier_parts, history, is_boundary, to_last_end
from conformance.report.derive import Derived, Row
from conformance.report.model import FindingRecord
from conformance.target import Target
from conformance.verdict import Broken, Inconclusive, NotApplicable, Unjudged, Unseen, Verdict

_SILENT = (Verdict.NOT_APPLICABLE, Verdict.BLOCKED, Verdict.NOT_RUN, Verdict.INCONCLUSIVE)


def rejudged(checks: Sequence[Derived], rows: Sequence[Row], target: Target, nodes: Sequence[str]) -> list[Derived]:
    """The same checks; those at the end of the run that judged something have the verdict that their code gives today.

    target: the driver as its file says it; nodes: names of those that the checks looked at.
    """
    known = all_checks()
    return [
        _again(check, known[check.id], _seen(check, rows), target, nodes)
        if check.id in known and known[check.id].check.at_end and check.verdict not in _SILENT
        else check
        for check in checks
    ]


def _seen(check: Derived, rows: Sequence[Row]) -> list[list[History]]:
    """What the check saw when it ran last: in its own part of the run, all workers; then each of the earlier parts."""
    bounds = [number for number, row in enumerate(rows) if is_boundary(row)]
    starts = [number for number, row in enumerate(rows) if _begins(check, row)]
    at = starts[-1] if starts else len(rows)
    first = max((number + 1 for number in bounds if number < at), default=0)
    last = min((number for number in bounds if number > at), default=len(rows))
    own = history(row for row in rows[first:at] if row.get("worker", "") == check.worker)
    return [[own, *_of_others(check, rows[first:last])], *([part] for part in earlier_parts(rows[:at]))]


def _begins(check: Derived, row: Row) -> bool:
    return (row["kind"], row.get("phase"), row.get("node_id")) == ("check", "start", check.node_id)


def _of_others(check: Derived, rows: Sequence[Row]) -> list[History]:
    """What other workers saw, which had ended by then."""
    workers = sorted({str(row.get("worker", "")) for row in rows} - {check.worker})
    return histories([row for row in rows if row.get("worker", "") == worker] for worker in workers)


def histories(of_workers: Iterable[Sequence[Row]]) -> list[History]:
    """Each worker's up to the end of its last check, after which it takes its cluster down; none of one without any."""
    return [history(cut) for rows in of_workers if (cut := to_last_end(rows))]


def _again(
    check: Derived, entry: Entry, parts: Sequence[Sequence[History]], target: Target, nodes: Sequence[str]
) -> Derived:
    found = [look(entry.function, Expect(entry.check.covers), part, target, nodes) for part in parts]
    judging_parts = [part for part in found if part.judged]
    findings = [FindingRecord.of(finding) for part in judging_parts or found for finding in part.findings]
    raised = None if judging_parts else found[0].raised
    verdict = judging.after(None, "call", raised, entry.check.covers, findings)
    return replace(check, verdict=verdict or Verdict.INCONCLUSIVE, findings=findings)


@dataclass(frozen=True)
class Looked:
    """What came of a check that judges a whole run, over one part of it."""

    findings: Sequence[Finding]
    raised: Verdict | None

    @property
    def judged(self) -> bool:
        """Whether there was something to judge by."""
        return self.raised in (None, Verdict.FAIL)


def look(
    function: Callable[..., object], expect: Expect, part: Sequence[History], target: Target, nodes: Sequence[str]
) -> Looked:
    """Run such a check over what the workers have seen in a part. Raises LookupError where it asks for what is gone."""
    raised: Verdict | None = None
    try:
        judge_each([partial(over, function, seen, expect, target, nodes) for seen in part])
    except Broken:
        raised = Verdict.FAIL
    except Unjudged as error:
        raised = error.verdict
    return Looked(expect.findings, raised)


def judge_each(calls: Sequence[Callable[[], object]]) -> None:
    """Judge several histories as one: one that shows nothing to judge by is left out as long as another shows some.

    Raises what a call raises, and Unjudged when all of them have nothing.
    """
    silent: list[Unjudged] = []
    for call in calls:
        try:
            call()
        except Unjudged as error:
            if type(error) not in (Inconclusive, NotApplicable, Unseen):  # a wait in vain, say
                raise
            silent.append(error)
    if len(silent) == len(calls):
        raise silent[0]


def over(
    function: Callable[..., object], seen: History, expect: Expect, target: Target, nodes: Sequence[str]
) -> object:
    """Run such a check over a recorded history. Raises what it raises, LookupError where it asks for what is gone."""
    given = {"history": seen, "expect": expect, "target": target, **_stand_ins(seen, target, nodes)}
    wanted = inspect.signature(function).parameters
    if not set(wanted) <= set(given):
        raise LookupError(f"it asks for {', '.join(sorted(set(wanted) - set(given)))}")
    return function(**{name: given[name] for name in wanted})


def _stand_ins(seen: History, target: Target, nodes: Sequence[str]) -> Mapping[str, Any]:
    """What such checks ask of things that are gone: who was called, whose driver it is, which nodes there were."""
    calls = any(seen.events("rpc", lambda event: event["source"] == "kubelet"))
    there = [SimpleNamespace(name=name, sees_calls=calls, registrations=lambda _: (target,)) for name in nodes]
    return {
        "node": there[0],
        "driver": SimpleNamespace(target=target),
        "cluster": SimpleNamespace(backend=SimpleNamespace(nodes=there)),
    }
