"""Checks that judge a whole run from its history, run once more over a recorded one, without a cluster."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from conformance import judging
from conformance.catalogue import Entry, all_checks
from conformance.expect import Expect, Finding
from conformance.history import History
from conformance.parts import earlier_parts, history, is_boundary
from conformance.report.derive import Derived, Row
from conformance.report.model import FindingRecord
from conformance.target import Target
from conformance.verdict import Broken, Unjudged, Verdict

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


def _seen(check: Derived, rows: Sequence[Row]) -> list[History]:
    """What the check saw: its own worker's part of the history before it; and what is known of earlier parts."""
    last: list[Row] = []
    for number, row in enumerate(rows):
        if is_boundary(row):
            last = []
        elif row.get("worker", "") == check.worker:
            if row["kind"] == "check" and row["phase"] == "start" and row["node_id"] == check.node_id:
                before = earlier_parts(rows[:number])
                if not _begins_again(check, rows[number:]):
                    return [*before, history(last)]
            last.append(row)
    return [history(last)]


def _begins_again(check: Derived, rows: Sequence[Row]) -> bool:
    """Whether the check was interrupted, and begun once more in a later part."""
    starts = [row for row in rows if row["kind"] == "check" and row["phase"] == "start"]
    return [row["node_id"] for row in starts].count(check.node_id) > 1


def _again(check: Derived, entry: Entry, parts: Sequence[History], target: Target, nodes: Sequence[str]) -> Derived:
    found = [look(entry.function, Expect(entry.check.covers), part, target, nodes) for part in parts]
    judging_parts = [part for part in found if part.judged]
    findings = [FindingRecord.of(finding) for part in judging_parts or found for finding in part.findings]
    raised = None if judging_parts else found[-1].raised
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
    function: Callable[..., object], expect: Expect, history: History, target: Target, nodes: Sequence[str]
) -> Looked:
    """Run such a check over a recorded history. Raises LookupError where it asks for what is gone with the run."""
    given = {"history": history, "expect": expect, "target": target, **_stand_ins(history, target, nodes)}
    wanted = inspect.signature(function).parameters
    if not set(wanted) <= set(given):
        raise LookupError(f"it asks for {', '.join(sorted(set(wanted) - set(given)))}")
    raised: Verdict | None = None
    try:
        function(**{name: given[name] for name in wanted})
    except Broken:
        raised = Verdict.FAIL
    except Unjudged as error:
        raised = error.verdict
    return Looked(expect.findings, raised)


def _stand_ins(history: History, target: Target, nodes: Sequence[str]) -> Mapping[str, Any]:
    """What such checks ask of things that are gone: who was called, whose driver it is, which nodes there were."""
    calls = any(history.events("rpc", lambda event: event["source"] == "kubelet"))
    there = [SimpleNamespace(name=name, sees_calls=calls, registrations=lambda _: (target,)) for name in nodes]
    return {
        "node": there[0],
        "driver": SimpleNamespace(target=target),
        "cluster": SimpleNamespace(backend=SimpleNamespace(nodes=there)),
    }
