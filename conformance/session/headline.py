"""The end of what a run prints: what it says, below all that pytest and other plugins have to say."""

from collections.abc import Generator

import pytest

from conformance.report.model import Report
from conformance.session import github, journal
from conformance.session.state import REPORT_DIR

REPORT: pytest.StashKey[Report] = pytest.StashKey()
"""The report of a run that has ended: what is on disk is what the terminal shows."""


class Headline:
    """An object of its own, as it remembers whether there is to be a summary."""

    def __init__(self) -> None:
        self.wanted = False

    def pytest_terminal_summary(self) -> None:
        """There is one: not with --no-summary, and not where pytest itself has failed."""
        self.wanted = True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Print it when everybody else has: a reader looks at the last line first."""
        result = yield
        report = session.config.stash.get(REPORT, None)
        if self.wanted and report is not None:
            _print(session.config, report)
        return result


def _print(config: pytest.Config, report: Report) -> None:
    """The verdict of the run, and where its report is."""
    from conformance.report.terminal import summary_text

    writer = config.get_terminal_writer()
    writer.line()
    folder = config.stash[REPORT_DIR].path
    if journal.begun(folder):
        writer.line("To go on with this run, give the same command and --resume.")
    text = summary_text(report, width=writer.fullwidth, colour=writer.hasmarkup, folder=folder)
    writer.write(github.in_log(report, text))
