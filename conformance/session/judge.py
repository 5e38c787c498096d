"""A process that runs checks: the only one, or a worker. Owns the bench."""

import traceback

import pytest

from conformance.session.bench import Bench
from conformance.session.control import ERRORS
from conformance.session.state import BENCH, ENDING, FOLDER, RESULTS, SETTINGS, TARGET, VERDICTS, WORKER, is_worker


def pytest_configure(config: pytest.Config) -> None:
    """Make the bench; nothing is started before a check asks for it."""
    config.stash[VERDICTS] = {}


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """The history begins with the first check, when the report's folder is this run's."""
    config = session.config
    if not config.option.collectonly:
        kind, target = config.stash[SETTINGS].cluster, config.stash[TARGET]
        config.stash[BENCH] = Bench(config, kind, target, config.stash[FOLDER], config.stash[WORKER])


def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Ctrl-C or SIGTERM."""


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Take cluster and driver down once all fixtures have ended; a failure here is the harness's own."""
    config = session.config
    config.stash[ENDING] = True
    bench = config.stash.get(BENCH, None)
    if bench is None:
        return
    try:
        bench.stop()
    except Exception as error:
        text = f"taking the cluster down failed: {type(error).__name__}: {error}"
        session.config.get_terminal_writer().line("\n" + traceback.format_exc())
        if is_worker(config):
            config.workeroutput.setdefault(ERRORS, []).append(text)  # type: ignore[attr-defined]
        else:
            config.stash[RESULTS].errors.append(text)
