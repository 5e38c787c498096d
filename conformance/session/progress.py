"""The terminal while a run goes on: one line for each check as it ends."""

from typing import TYPE_CHECKING, Any

import pytest

from conformance.session.state import ENDING, RESULTS
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from conformance.report.model import CheckResult

_MARKUP: dict[Verdict, dict[str, bool]] = {
    Verdict.PASS: {"green": True},
    Verdict.WARN: {"yellow": True},
    Verdict.FAIL: {"red": True, "bold": True},
    Verdict.WAIVED: {"blue": True},
    Verdict.INCONCLUSIVE: {"purple": True},
    Verdict.BLOCKED: {"purple": True},
}
_WIDTH = max(len(verdict) for verdict in Verdict)


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: Any, config: pytest.Config) -> tuple[str, str, str] | None:
    """Count checks as pytest does, but write no letter for them: they have lines of their own."""
    if not isinstance(report, pytest.TestReport) or config.stash[RESULTS].check(report.nodeid) is None:
        return None
    # Words are for the summary at the end.
    ending = config.stash.get(ENDING, False)
    if hasattr(report, "wasxfail") and report.skipped:
        return "xfailed", "", "XFAIL" if ending else ""
    if report.when == "call":
        return report.outcome, "", report.outcome.upper() if ending else ""
    if report.failed:
        return "error", "", "ERROR" if ending else ""
    return ("skipped", "", "SKIPPED" if ending else "") if report.skipped else ("", "", "")


def prepare(config: pytest.Config) -> None:
    """Checks have lines of their own, so no paths of files above them."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None:
        reporter.showfspath = False


def show(config: pytest.Config, result: "CheckResult") -> None:
    """Write the line of a check that has ended; quiet runs see only those that did not pass."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    verbosity = config.getoption("verbose", 0)
    if reporter is None or verbosity < -1 or (verbosity < 0 and result.verdict is Verdict.PASS):
        return
    from conformance.report.text import visible

    reporter.ensure_newline()
    reporter.write(f"{result.verdict:<{_WIDTH}}", **_MARKUP.get(result.verdict, {}))
    reporter.write(f"  {result.id}  {visible(result.title)}")
    if verbosity > 0:
        reporter.write(f"  ({result.seconds:.2f} s{f', {result.worker}' if result.worker else ''})")
    reporter.write("\n")
    reporter.currentfspath = None
    reporter.flush()
