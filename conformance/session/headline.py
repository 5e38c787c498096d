"""The end of what a run prints: what it says, below all that pytest and other plugins have to say."""

from collections.abc import Generator

import pytest

from conformance.report.conclusion import USAGE
from conformance.report.model import Report
from conformance.session import github, journal
from conformance.session.state import REPORT_DIR, RESULTS

REPORT: pytest.StashKey[Report] = pytest.StashKey()
"""The report of a run that has ended: what is on disk is what the terminal shows."""


class Headline:
    """An object of its own, as it remembers whether there is to be a summary."""

    def __init__(self) -> None:
        self.wanted = False

    def pytest_terminal_summary(self, config: pytest.Config) -> None:
        """There is one: not where pytest itself has failed, and not with --no-summary, whatever pytest's version."""
        self.wanted = not config.option.no_summary

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Print it when everybody else has: a reader looks at the last line first."""
        result = yield
        report = session.config.stash.get(REPORT, None)
        if self.wanted and report is not None:
            _print(session.config, report)
        elif self.wanted:
            _tell_why(session.config, int(session.exitstatus))
        return result


def _print(config: pytest.Config, report: Report) -> None:
    """The verdict of the run, and where its report is."""
    from conformance.report.terminal import summary_text

    writer = config.get_terminal_writer()
    writer.line()
    folder = config.stash[REPORT_DIR].path
    if journal.is_begun(folder):
        writer.line("To go on with this run, give the same command and --resume.")
    text = summary_text(report, width=writer.fullwidth, colour=writer.hasmarkup, folder=folder)
    writer.write(github.in_log(report, text))


def _tell_why(config: pytest.Config, status: int) -> None:
    """Say why there is no report of a run."""
    report_dir = config.stash.get(REPORT_DIR, None)
    if report_dir is None:
        return
    writer = config.get_terminal_writer()
    for text in config.stash[RESULTS].errors:
        writer.line(text)
    if report_dir.keeps_interrupted and status != USAGE:
        writer.line(
            f"This run was over before its first check, so {report_dir.path} still holds the one before it, "
            "which was interrupted: to go on with that, give its command and --resume."
        )
