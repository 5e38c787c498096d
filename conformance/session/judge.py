"""A process that runs checks: the only one, or a worker. Owns the bench."""

import gc
import traceback
from collections.abc import Collection

import pytest

from conformance.session import strays, unwritable
from conformance.session.board import Board
from conformance.session.gate import GOOD
from conformance.session.state import (
    BENCH,
    BOARD,
    ENDING,
    FOLDER,
    UNSEEN,
    VERDICTS,
    WAIVERS,
    WORKER,
    is_worker,
)
from conformance.verdict import Verdict


def pytest_configure(config: pytest.Config) -> None:
    """No verdict is known yet."""
    config.stash[VERDICTS] = {}
    config.stash[UNSEEN] = set()
    if is_worker(config):
        config.stash[BOARD] = Board(config.stash[FOLDER], config.stash[WORKER])
    config.pluginmanager.register(Interrupts(config))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """From now on a thread that dies is a failure of the harness; what was made up to here is no garbage."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    config = session.config
    if not config.option.collectonly:
        strays.catch(lambda text: unwritable.note(config, text))


class Interrupts:
    """An object of its own, as the hook is not told the config."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self) -> None:
        """Ctrl-C or SIGTERM: from now on nothing is waited for."""
        self.config.stash[ENDING] = True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Take cluster and driver down once all fixtures have ended; a failure here is the harness's own."""
    config = session.config
    config.stash[ENDING] = True
    bench = config.stash.get(BENCH, None)
    if bench is None:
        return
    try:
        came_to_its_end = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if came_to_its_end and (_all_good(config.stash[VERDICTS].values()) or WAIVERS in config.stash):
            bench.await_device()
        bench.stop()
    except Exception as error:
        traceback.print_exc()
        unwritable.note(config, f"taking the cluster down failed: {type(error).__name__}: {error}")
    if bench.history.unwritten:
        unwritable.note(config, unwritable.sentence(config.stash[FOLDER], bench.history.unwritten))


def _all_good(verdicts: Collection[Verdict]) -> bool:
    """Whether the checks alone would make this a good run."""
    silent = (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN)
    return any(verdict in GOOD for verdict in verdicts) and all(verdict in (*GOOD, *silent) for verdict in verdicts)
