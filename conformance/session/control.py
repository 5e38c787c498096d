"""The only or the controlling process: takes in results, judges the run, writes the report."""

import gc
import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from conformance.history import HISTORY_FILE
from conformance.published import has_published
from conformance.report.conclusion import USAGE
from conformance.report.footer import file_digest
from conformance.report.model import Outcome, Report
from conformance.report.text import amount
from conformance.session import allure, journal, progress, reportdir, resume, signals, unwritable, waiving
from conformance.session.board import report_lost
from conformance.session.collected import Collected
from conformance.session.headline import REPORT
from conformance.session.merge import merge_histories
from conformance.session.reportdir import ReportDir
from conformance.session.results import Results
from conformance.session.rundir import sweep
from conformance.session.state import (
    COLLECTED,
    ENDING,
    KEPT,
    REPORT_DIR,
    RESULT,
    RESULTS,
    SETTINGS,
    TARGET,
    WAIVERS,
    is_distributed,
)

_WORKERS: pytest.StashKey[dict[str, int]] = pytest.StashKey()
"""Process ids of workers by their names."""


def pytest_configure(config: pytest.Config) -> None:
    """Begin to keep results; from now on the folder holds this run's report, at first that of one cut short."""
    root, cwd = config.rootpath, config.invocation_params.dir
    waivers = config.stash.get(WAIVERS, None)
    results = Results(config.stash[SETTINGS], config.stash[TARGET], root, cwd, waivers=waivers)
    report_dir = config.stash.get(REPORT_DIR, None)
    if report_dir and report_dir.note:
        results.notes.append(report_dir.note)
    config.stash[RESULTS] = results
    config.stash[_WORKERS] = {}
    if report_dir and results.settings.resume:
        _go_on(config, results, report_dir)
    elif report_dir:
        report_dir.begin()
        with _as_usage(config):
            _write(results.report(None), config)


def _go_on(config: pytest.Config, results: Results, report_dir: ReportDir) -> None:
    """Take over what an earlier part of the run has left. Raises pytest.UsageError where that was another run."""
    if report_dir.note:
        raise pytest.UsageError(f"--resume: {report_dir.note}: that run has not been interrupted yet")
    begun = resume.refuse_others(report_dir.path, resume.described(results.settings, results.target, results.waivers))
    kept = config.stash[KEPT] = resume.look(report_dir.path)
    report_dir.go_on()
    if is_distributed(config):
        with _as_usage(config):
            kept.hand_over()
    results.take_over(kept, begun["started"])


def release(config: pytest.Config) -> None:
    """Let go of the report's folder; a run that never was, as its command line is wrong, leaves no trace there.

    Nor does one that was interrupted so early that there is less of it than of another before it.
    """
    session: Any = config.pluginmanager.get_plugin("session")
    report_dir = config.stash[REPORT_DIR]
    if session is None or session.exitstatus == USAGE or report_dir.keeps_interrupted:
        report_dir.undo()
    report_dir.close()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Driver, cluster and report, above everything else."""
    settings, target = config.stash[SETTINGS], config.stash[TARGET]
    report_dir = config.stash.get(REPORT_DIR, None)
    lines = [
        f"conformance: driver {target.driver_name} ({settings.driver or 'no driver file'}), "
        f"cluster {settings.cluster}, profile {', '.join(settings.asked_profiles) or 'core and features'}, "
        f"tier {settings.tier}, seed {settings.seed}"
    ]
    if report_dir:
        lines.append(f"conformance report: {report_dir.note or report_dir.path}")
    if KEPT in config.stash:
        have = amount(len(config.stash[KEPT].results), "check has", "checks have")
        lines.append(f"conformance: goes on with a run that was interrupted, in which {have} a verdict")
    return lines


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected here is what will run."""
    if COLLECTED in session.config.stash:
        _begin(session.config, session.config.stash[COLLECTED])


def _begin(config: pytest.Config, collected: Collected) -> None:
    """The selection is good, so what an earlier run has left is of no use any more."""
    config.stash[RESULTS].collected = collected
    report_dir = config.stash.get(REPORT_DIR, None)
    if report_dir and not report_dir.settled:
        report = config.stash[RESULTS].report(None)
        with _as_usage(config):
            if KEPT in config.stash:
                resume.take_up(config.stash[KEPT])
            else:
                _note_run(config, collected)
            _write(report, config)
            report_dir.settle()
        allure.show_run(config, report)
    progress.prepare(config)


def _note_run(config: pytest.Config, collected: Collected) -> None:
    results = config.stash[RESULTS]
    run = {
        "described": resume.described(results.settings, results.target, results.waivers),
        "seed": results.settings.seed,
        "started": results.started,
        "selected": [row.node_id for row in collected.selected],
    }
    journal.begin(config.stash[REPORT_DIR].path, run)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker where the report is, and what is waived."""
    node.workerinput["dra_conformance"] = {
        "folder": str(node.config.stash[REPORT_DIR].path),
        "waivers": waiving.for_workers(node.config),
    }


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Checks go to workers as planned."""
    from conformance.session.lanes import Lanes

    return Lanes(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """Take over what a worker has collected. Raises the UsageError that it ran into."""
    gc.enable()
    config, worker = node.config, node.gateway.id
    collected = Collected.load(config.stash[REPORT_DIR].path, worker)
    config.stash[_WORKERS][worker] = collected.pid
    if collected.usage:
        raise pytest.UsageError(collected.usage)
    _begin(config, collected)
    scheduler = config.pluginmanager.get_plugin("dsession").sched
    # Each worker makes a cluster of its own, which is cheap where it is processes.
    own = config.stash[SETTINGS].cluster in ("embedded", "control-plane")
    scheduler.lanes = collected.lanes(scheduler.numnodes if own else 1)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker has ended: it may have failures of its own to tell, and when it died, others wait for it in vain."""
    config, worker = node.config, node.gateway.id
    if error:
        report_lost(config.stash[REPORT_DIR].path)
    output = getattr(node, "workeroutput", None) or {}
    errors = config.stash[RESULTS].errors
    errors += [text for text in output.get(unwritable.ERRORS, []) if text not in errors]
    collected = config.stash[_WORKERS].pop(worker, None)
    told = config.stash.get(ENDING, False) or config.pluginmanager.get_plugin("dsession").shuttingdown
    if collected is None and not told:
        # pytest would call this "no tests collected". One that replaces another may come when nothing is left to do.
        errors.append(f"worker {worker} ended before it had collected anything; run with -n0 to see why")


class ResultsIn:
    """Takes in reports; an object of its own, as these hooks are told nothing of the config."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.results = config.stash[RESULTS]

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A check's result comes with the report of its teardown; a dead worker's last check has another report."""
        payload = getattr(report, RESULT, None)
        if payload:
            progress.show(self.config, self.results.add(json.loads(payload)))
        elif self.results.check(report.nodeid) is None:
            if report.failed:
                self.results.others_failed.add(report.nodeid)
        elif report.when not in ("setup", "call", "teardown"):
            lost = self.results.add_lost(report.nodeid, str(report.longrepr))
            if lost:
                progress.show(self.config, lost)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """What cannot be collected cannot be judged."""
        if report.failed and self.config.option.continue_on_collection_errors:
            self.results.others_failed.add(report.nodeid)
        elif report.failed:
            self.results.interrupted = f"{report.nodeid} could not be collected"

    def pytest_internalerror(self, excrepr: object) -> None:
        """The harness failed; workers are not waited for, as the one that failed will never finish."""
        self.results.errors.append(_last_line(str(excrepr)))
        session = self.config.pluginmanager.get_plugin("dsession")
        if session:
            session.shouldstop = "internal error"

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Ctrl-C, SIGTERM or pytest.exit."""
        self.config.stash[ENDING] = True
        if not self.results.errors:
            self.results.interrupted = str(excinfo.value) or "interrupted by Ctrl-C"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "internal error"


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> Generator[None, object, object]:
    """When everything has ended, say what the run says."""
    config = session.config
    config.stash[ENDING] = True
    for pid in config.stash[_WORKERS].values():
        signals.end(pid)
    result = None
    try:
        result = yield
        if is_distributed(config):
            sweep()  # a worker that was killed has left its folder
    except pytest.exit.Exception:
        raise
    except Exception as error:
        _failed(config, error)
    if not config.option.collectonly:
        gc.disable()  # what is read for the report stays until it is written
        try:
            _conclude(session, int(exitstatus))
        except OSError as error:
            unwritable.note(config, unwritable.sentence(config.stash[REPORT_DIR].path, error))
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        except Exception as error:
            _failed(config, error)
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        finally:
            gc.enable()
    return result


def _failed(config: pytest.Config, error: Exception) -> None:
    config.notify_exception(pytest.ExceptionInfo.from_exception(error), config.option)


def _conclude(session: pytest.Session, raw: int) -> None:
    from conformance.session import github

    config = session.config
    report_dir, results = config.stash[REPORT_DIR], config.stash[RESULTS]
    history = report_dir.path / HISTORY_FILE
    if report_dir.settled:
        if is_distributed(config):
            merge_histories(report_dir.path)
        results.see_broken(history)
        waiving.keep(config, history)
    conclusion = results.conclude(raw, published=has_published(history, results.target.driver_name))
    session.exitstatus = conclusion.status
    if report_dir.settled or not (conclusion.status == USAGE or report_dir.keeps_interrupted):
        report = results.report(conclusion)
        report.seal(selected=len(results.collected.selected), history=file_digest(history))
        _write(report, config)
        config.stash[REPORT] = report
        if not _goes_on(conclusion.outcome, results):
            journal.end(report_dir.path)
        github.add_summary(report)
        allure.show_run(config, report)


def _goes_on(outcome: Outcome, results: Results) -> bool:
    """Whether something is left to do, and nothing has been said by leaving it out, for `--resume`."""
    return outcome is Outcome.INTERRUPTED or (outcome is Outcome.ERROR and bool(results.missing()))


def _write(report: Report, config: pytest.Config) -> None:
    from conformance.report.store import ReportError, write

    try:
        write(report, config.stash[REPORT_DIR].path)
    except ReportError as error:
        raise error.__cause__ or error from None


@contextmanager
def _as_usage(config: pytest.Config) -> Iterator[None]:
    """Before anything is judged, a folder that cannot be written is as good as one that was misspelt."""
    try:
        yield
    except OSError as error:
        raise reportdir.unwritable(config.stash[REPORT_DIR].path, error) from None
