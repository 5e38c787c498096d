"""Checks that judge a whole run from its history, run over a recorded one, without a cluster."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

from conformance import judging
from conformance.catalogue import Entry, all_checks
from conformance.expect import Expect
from conformance.history import Event, History
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
        _again(check, known[check.id], [_before(check, rows), *_of_others(check, rows)], target, nodes)
        if check.id in known and known[check.id].check.at_end and check.verdict not in _SILENT
        else check
        for check in checks
    ]


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
    function: Callable[..., object], history: History, expect: Expect, target: Target, nodes: Sequence[str]
) -> object:
    """Run a check at the end over a recorded history. Raises what it raises."""
    given = {"history": history, "expect": expect, "target": target, **_stand_ins(history, target, nodes)}
    return function(**{name: given[name] for name in inspect.signature(function).parameters})


def until_last_check(rows: Sequence[Row]) -> History:
    """One worker's history up to the end of its last check: after that it takes its cluster down."""
    ends = [place for place, row in enumerate(rows) if row["kind"] == "check" and row["phase"] == "end"]
    return _history(rows[: ends[-1] + 1] if ends else ())


def _before(check: Derived, rows: Sequence[Row]) -> History:
    """What the check saw of its own worker: the part of the history before it."""
    own = [row for row in rows if row.get("worker", "") == check.worker]
    begins = [row["kind"] == "check" and row["phase"] == "start" and row["node_id"] == check.node_id for row in own]
    return _history(own[: begins.index(True)] if True in begins else own)


def _of_others(check: Derived, rows: Sequence[Row]) -> Sequence[History]:
    """What it saw of other workers, which had ended by then."""
    workers = sorted({str(row.get("worker", "")) for row in rows} - {check.worker})
    return [until_last_check([row for row in rows if row.get("worker") == worker]) for worker in workers]


def _history(rows: Sequence[Row]) -> History:
    told = ("seq", "time", "kind", "worker")
    events = ({key: value for key, value in row.items() if key not in told} for row in rows)
    return History.of(
        Event(seq, row["time"], row["kind"], data) for seq, (row, data) in enumerate(zip(rows, events, strict=True))
    )


def _again(check: Derived, entry: Entry, histories: Sequence[History], target: Target, nodes: Sequence[str]) -> Derived:
    expect = Expect(entry.check.covers)
    raised: Verdict | None = None
    try:
        judge_each([partial(over, entry.function, history, expect, target, nodes) for history in histories])
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
