"""A worker of pytest-xdist that ends before it is up: pytest-xdist fails then; here the run ends with one sentence."""

from collections.abc import Generator

import pytest

from conformance.report.conclusion import INTERNAL, INTERRUPTED
from conformance.session import unwritable
from conformance.session.state import FOLDER

_SENTENCE = "a worker ended before it had collected anything; run with -n0 to see why"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> Generator[None, object, object]:
    """Workers are started here."""
    from execnet.gateway_bootstrap import HostNotFound

    try:
        return (yield)
    except (EOFError, OSError, HostNotFound) as error:
        # pytest does not go on to the end of a session that has not begun, so it takes the status from here.
        raise pytest.exit.Exception(_noted(session.config, error), returncode=INTERNAL) from None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """And here those that replace others."""
    from execnet.gateway_bootstrap import HostNotFound

    try:
        return (yield)
    except (EOFError, OSError, HostNotFound) as error:
        raise pytest.exit.Exception(_noted(session.config, error), returncode=INTERRUPTED) from None


def _noted(config: pytest.Config, error: Exception) -> str:
    """What has happened: with a number it is a file that failed, without one a connection."""
    text = _SENTENCE
    if isinstance(error, OSError) and error.errno is not None:
        text = unwritable.sentence(config.stash[FOLDER], error)
    unwritable.note(config, text)
    return text
