"""Checks that judge a whole run from its history, run once more over a recorded one, without a cluster."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from conformance import judging
from conformance.catalogue import Entry, all_checks
from conformance.expect import Expect
from conformance.history import Event, History
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
        _again(check, known[check.id], _before(check, rows), target, nodes)
        if check.id in known and known[check.id].check.at_end and check.verdict not in _SILENT
        else check
        for check in checks
    ]


def _before(check: Derived, rows: Sequence[Row]) -> History:
    """What the check saw: the part of the history before it, of its own worker."""
    seen: list[Event] = []
    for row in rows:
        if row.get("worker", "") != check.worker:
            continue
        if row["kind"] == "check" and row["phase"] == "start" and row["node_id"] == check.node_id:
            break
        data = {key: value for key, value in row.items() if key not in ("seq", "time", "kind", "worker")}
        seen.append(Event(len(seen), row["time"], row["kind"], data))
    return History.of(seen)


def _again(check: Derived, entry: Entry, history: History, target: Target, nodes: Sequence[str]) -> Derived:
    expect = Expect(entry.check.covers)
    given = {"history": history, "expect": expect, "target": target, **_stand_ins(history, target, nodes)}
    raised: Verdict | None = None
    try:
        entry.function(**{name: given[name] for name in inspect.signature(entry.function).parameters})
    except Broken:
        raised = Verdict.FAIL
    except Unjudged as error:
        raised = error.verdict
    verdict = judging.after(None, "call", raised, entry.check.covers, expect.findings)
    findings = [FindingRecord.of(finding) for finding in expect.findings]
    return replace(check, verdict=verdict or Verdict.INCONCLUSIVE, findings=findings)


def _stand_ins(history: History, target: Target, nodes: Sequence[str]) -> Mapping[str, Any]:
    """What such checks ask of things that are gone: who was called, whose driver it is, which nodes there were."""
    calls = any(history.events("rpc", lambda event: event["source"] == "kubelet"))
    there = [SimpleNamespace(name=name, sees_calls=calls, registrations=lambda _: (target,)) for name in nodes]
    return {
        "node": there[0],
        "driver": SimpleNamespace(target=target),
        "cluster": SimpleNamespace(backend=SimpleNamespace(nodes=there)),
    }
