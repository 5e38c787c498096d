"""Running a check: may it be tried, how did it end, what is kept of it."""

import json
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from conformance.check import Check
from conformance.expect import Expect, Finding
from conformance.history import History
from conformance.redact import redact_text
from conformance.session import allure, evidence, gate, journal, unwritable, waiving
from conformance.session.before import Before, finding
from conformance.session.bench import bench_of
from conformance.session.board import Reached
from conformance.session.explain import explain
from conformance.session.state import (
    BENCH,
    BOARD,
    COLLECTED,
    FOLDER,
    KEPT,
    RESULT,
    SETTINGS,
    TARGET,
    UNSEEN,
    VERDICTS,
    WAIVERS,
    WORKER,
    check_of,
)
from conformance.session.trial import Trial, says
from conformance.verdict import Broken, Unjudged, Verdict

if TYPE_CHECKING:
    from conformance.report.model import CheckResult

TRIAL: pytest.StashKey[Trial] = pytest.StashKey()

_SKIPPED = (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.BLOCKED)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A trial begins with the protocol of its item, once other workers have tried what it builds on."""
    check = check_of(item)
    if check:
        _hear(item)
        item.stash[TRIAL] = _begin(item, check)
    return (yield)


def _hear(item: pytest.Item) -> None:
    """Take in what other workers have reached; before any time is counted, as it may have to be waited for."""
    config = item.config
    if BOARD in config.stash:
        kept = config.stash.get(KEPT, None)
        awaited = config.stash[COLLECTED].awaited(item.nodeid) - set(kept.results if kept else ())
        for row in config.stash[BOARD].wait(awaited):
            _remember(config, row)


def _begin(item: pytest.Item, check: Check) -> Trial:
    history = bench_of(item.config).history
    facts = {"tier": check.tier.value, "node_id": item.nodeid, "covers": list(check.covers)}
    event = history.record("check", id=check.id, phase="start", **facts)

    def listener(found: Finding) -> None:
        from conformance.report.text import plain

        history.record("expect", check=check.id, **{name: plain(value) for name, value in vars(found).items()})

    own = {requirement.id: requirement for requirement in check.own}
    kept = item.config.stash.get(KEPT, None)
    before = [finding(row) for row in kept.broken.get(item.nodeid, ())] if kept else []
    return Trial(check, item.nodeid, event.seq, Expect(check.covers, listener, before, own))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Try a check only where it can be judged. Raises Unjudged before any of its fixtures is set up."""
    trial = item.stash.get(TRIAL, None)
    if trial is None:
        return
    config, check = item.config, trial.check
    settings, target, bench = config.stash[SETTINGS], config.stash[TARGET], config.stash[BENCH]
    gate.tier_allows(check, settings.tier)
    gate.hooks_present(check, _hooks(target.file.hooks), settings.hooks)
    gate.cluster_gives(settings.cluster, target.file.requires)
    gate.claims_fit(check, target.claims_per_node)
    verdicts: dict[str, Verdict] = config.stash[VERDICTS]
    unseen: set[str] = config.stash[UNSEEN]
    try:
        gate.needs_met(check, config.stash[COLLECTED].ids() - unseen, verdicts)
    except Unjudged:
        # What the driver does not offer is no loss. Nothing waits for it here: what it has shown so far decides.
        gate.features_offered(check, target.features_claimed, bench.features_so_far)
        raise
    gate.features_offered(check, target.features_claimed, bench.features_seen)
    if settings.cluster == "existing":
        gate.claims_free(check, target.claims_per_node, bench.claims_free)
    bench.turn(check)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """What is judged by the whole run at its end is judged by each of its parts."""
    trial, kept = pyfuncitem.stash.get(TRIAL, None), pyfuncitem.config.stash.get(KEPT, None)
    if trial is None or kept is None or not trial.check.at_end:
        return (yield)
    before = Before.of(trial.check, pyfuncitem.function, kept, pyfuncitem.config.stash[TARGET])
    expect, known = trial.expect, len(trial.expect.findings)
    tell, expect.listener = expect.listener, lambda _: None
    raised: BaseException | None = None
    try:
        yield
    except BaseException as error:
        raised = error
    expect.listener = tell
    now = expect.findings[known:]
    del expect.findings[known:]
    judged = raised is None or isinstance(raised, Broken) or (isinstance(raised, Unjudged) and before.judged)
    for found in before.together(now) if judged else now:
        expect.take(found)
    if not judged and raised:
        raise raised
    return True


def _hooks(section: BaseModel) -> list[str]:
    return [name for name in type(section).model_fields if getattr(section, name)]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Keep the evidence before fixtures clean up."""
    trial = item.stash.get(TRIAL, None)
    if trial:
        with unwritable.ends_run(item.config):
            evidence.keep(trial, item.config.stash[BENCH], item.config.stash[FOLDER])
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the report the outcome that fits the verdict, and a text for people instead of a traceback."""
    report = yield
    trial = item.stash.get(TRIAL, None)
    if trial:
        # What the check and what it calls have printed, which pytest shows and Allure keeps.
        report.sections = [(name, redact_text(text)) for name, text in report.sections]
        history = item.config.stash[BENCH].history
        _note(trial, call, history)
        trial.absorb(call.when, call.excinfo)
        _doubt(trial, history)
        trial.waived = waiving.reason(item.config, _result(item.config, trial)) if WAIVERS in item.config.stash else ""
        _dress(report, trial, item)
        if call.when == "teardown":
            if item.config.pluginmanager.hasplugin("allure_listener"):
                allure.label(trial)
            setattr(report, RESULT, json.dumps(_finish(item, trial)))
    return report


def _note(trial: Trial, call: pytest.CallInfo[None], history: History) -> None:
    """Record how a phase ended: what the verdict is derived from when the history is read again."""
    if call.excinfo:
        error = call.excinfo.value
        told = {"raised": type(error).__name__, "says": says(error).value}
        history.record("check", id=trial.check.id, phase=call.when, **told)
    elif call.when == "call":
        history.record("check", id=trial.check.id, phase="call")


def _doubt(trial: Trial, history: History) -> None:
    """A cluster of ours that failed itself may be why the driver seems to be wrong."""
    ours = next(history.events("error", since=trial.since), None) if trial.verdict is Verdict.FAIL else None
    if ours is not None:
        trial.verdict = Verdict.INCONCLUSIVE
        trial.message = f"the suite's own cluster failed ({ours['where']}), so this proves nothing: {trial.message}"


def _dress(report: pytest.TestReport, trial: Trial, item: pytest.Item) -> None:
    unproven = report.when == "call" and trial.verdict in (Verdict.INCONCLUSIVE, Verdict.FAIL)
    if report.passed and not unproven:
        return
    if trial.verdict in _SKIPPED and report.when != "teardown":
        path, line, _ = item.location
        why = redact_text(f"{trial.verdict}: {trial.message}")
        report.outcome, report.longrepr = "skipped", (path, line or 0, why)
    elif trial.waived and report.when != "teardown":
        # What pytest calls a test that is known to fail.
        report.outcome, report.longrepr, report.wasxfail = "skipped", explain(trial), trial.waived
    else:
        report.outcome, report.longrepr = "failed", explain(trial)


def _finish(item: pytest.Item, trial: Trial) -> dict[str, Any]:
    """Settle the verdict; returns the result and what is known about the cluster, as JSON."""
    config, check = item.config, trial.check
    bench, result = config.stash[BENCH], _result(config, trial)
    reached = Reached(trial.node_id, check.id, result.verdict, trial.unseen)
    _remember(config, reached)
    payload = {"result": result.model_dump(mode="json"), "facts": bench.facts(), "unseen": trial.unseen}
    with unwritable.ends_run(config):
        bench.history.raise_unwritten()
        journal.note(config.stash[FOLDER], config.stash[WORKER], payload)
        bench.history.record("check", id=check.id, phase="end", verdict=result.verdict.value)
        bench.history.raise_unwritten()
        if BOARD in config.stash:
            config.stash[BOARD].post(reached)
    return payload


def _remember(config: pytest.Config, reached: Reached) -> None:
    gate.remember(config.stash[VERDICTS], reached.id, reached.verdict)
    if reached.unseen:
        config.stash[UNSEEN].add(reached.id)


def _result(config: pytest.Config, trial: Trial) -> "CheckResult":
    """The check as far as it has come."""
    from conformance.report.model import CheckResult, FindingRecord

    check = trial.check
    return CheckResult(
        id=check.id,
        title=check.title,
        area=check.area,
        profile=check.profile,
        tier=check.tier.value,
        covers=list(check.covers),
        needs=list(check.needs),
        node_id=trial.node_id,
        verdict=trial.verdict or Verdict.INCONCLUSIVE,
        message=trial.message,
        findings=[FindingRecord.of(finding) for finding in trial.expect.findings],
        started=trial.started,
        seconds=time.perf_counter() - trial.clock,
        attempts=max(trial.attempts, 1),
        worker=config.stash[WORKER],
        evidence=trial.evidence,
    )
