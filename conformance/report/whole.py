"""What every format says of a run as a whole, so that who only counts checks never sees too good a run."""

from conformance.report.conclusion import GOOD
from conformance.report.model import CheckResult, FindingRecord, Outcome, Report
from conformance.report.obligations import headline
from conformance.report.text import shown, visible
from conformance.verdict import Verdict

RED = (Verdict.FAIL, Verdict.INCONCLUSIVE)
"""Verdicts that each format shows as a failure or an error."""
SILENT = (Verdict.NOT_APPLICABLE, Verdict.BLOCKED, Verdict.NOT_RUN, Verdict.WAIVED)
"""Verdicts that each format shows as skipped, where it knows that."""
RUN = "run"
"""The name of the row that stands for the run itself."""

_NOT_ALL_RAN = (Outcome.INTERRUPTED, Outcome.ERROR, Outcome.NOTHING, Outcome.INCOMPLETE)


def trouble(report: Report) -> str:
    """The run in one line where its checks alone would look better than it is: cut short, empty, not good; else ""."""
    good = report.outcome in GOOD and report.exit_status == 0
    if good or (report.outcome not in _NOT_ALL_RAN and report.with_verdict(*RED)):
        return ""
    said = visible(headline(report))
    return said if report.outcome not in GOOD or not report.reason else f"{visible(report.reason)}: {said}"


def name_of(result: CheckResult) -> str:
    """The name of a check that stays the same from release to release: its id, with the case of a parametrized one."""
    _, bracket, case = result.node_id.partition("[")
    return visible(f"{result.id}{bracket}{case}")


def first_line(result: CheckResult) -> str:
    """Why a check has its verdict, in one line."""
    return visible(result.message.strip().partition("\n")[0]) or result.verdict.meaning


def told(result: CheckResult) -> str:
    """All that is known of a check: its message, the findings that do not hold, where its evidence is."""
    lines = [result.message.strip()] if result.message.strip() else []
    lines += [describe(finding) for finding in result.missed]
    lines += [f"evidence: {path}" for path in result.evidence]
    return visible("\n".join(lines))


def describe(finding: FindingRecord) -> str:
    """A finding in three lines: what was expected, observed and wanted."""
    head = f"{finding.requirement} ({finding.level}): expected that {visible(finding.sentence)}"
    waived = f"\n  {visible(str(finding.waived))}" if finding.waived else ""
    return f"{head}\n  observed: {shown(finding.got)}\n  wanted:   {shown(finding.want)}{waived}"
