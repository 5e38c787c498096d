"""What GitHub Actions shows of a report: the summary of a step, and annotations of a commit or pull request."""

from importlib.resources import files
from pathlib import PurePath

from conformance.report.markdown import block, escaped
from conformance.report.model import CheckResult, Outcome, Report
from conformance.report.obligations import exit_meaning, headline
from conformance.report.sources import links
from conformance.report.text import amount, duration, visible
from conformance.report.whole import RED, describe, first_line, name_of, told, trouble
from conformance.verdict import Verdict

MOST_BYTES = 1024 * 1024
"""Of the summary of one step; GitHub shows none of a longer one."""
MOST_ANNOTATIONS = 10
"""Of each kind that GitHub keeps of one step."""

_MARKS = {
    Verdict.PASS: "✅",
    Verdict.INFO: "✅",
    Verdict.WARN: "⚠️",
    Verdict.WAIVED: "⚠️",
    Verdict.FAIL: "❌",
    Verdict.INCONCLUSIVE: "❓",
    Verdict.BLOCKED: "⛔",
}


_PALE = (Verdict.WARN, Verdict.WAIVED)
"""Verdicts of checks that found something which stops nobody."""


def step_summary(report: Report) -> str:
    """The report in markdown: the verdict, what failed and why, and every check in a fold; never over `MOST_BYTES`."""
    parts = [_head(report), *(_finding(report, result) for result in report.with_verdict(*RED, *_PALE))]
    parts.append(_all(report))
    kept, size = [], 0
    for part in parts:
        size += len(part.encode())
        if size > MOST_BYTES - 1000:
            kept.append("There is more than GitHub shows here; the report has all of it.\n")
            break
        kept.append(part)
    return "\n".join(kept)


def annotations(report: Report) -> str:
    """Workflow commands: an error for each check that failed or could not judge, a warning for each SHOULD missed or
    finding waived."""
    wrong = trouble(report)
    errors = [_command("error", report, "DRA conformance", wrong)] if wrong else []
    errors += [_of_check("error", report, result) for result in report.with_verdict(*RED)]
    warnings = [_of_check("warning", report, result) for result in report.with_verdict(*_PALE)]
    return "".join(f"{line}\n" for lines in (errors, warnings) for line in lines[:MOST_ANNOTATIONS])


def _head(report: Report) -> str:
    good = not trouble(report) and not report.with_verdict(*RED)
    mark = ("⚠️" if report.outcome is Outcome.WAIVED else "✅") if good else "❌"
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report.counts.items() if number)
    rows = {
        "Driver": f"{report.driver.name} {report.driver.version}",
        "Cluster": f"{report.cluster.get('kind', '')} {report.cluster.get('kubernetes', '')}",
        "Checks": counts or "none",
        "Exit status": f"{report.exit_status}, {exit_meaning(report)}" if report.exit_status is not None else "none",
    }
    lines = [f"## {mark} {escaped(headline(report))}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {escaped(text)} |" for name, text in rows.items()]
    return "\n".join([*lines, *(f"\n> {escaped(note)}" for note in report.notes), ""])


def _finding(report: Report, result: CheckResult) -> str:
    mark = _MARKS[result.verdict]
    lines = [f"### {mark} {result.verdict} {escaped(name_of(result))}", "", escaped(result.title), ""]
    known = {requirement.id: requirement for requirement in report.requirements}
    for finding in result.missed:
        lines += block(describe(finding))
        if finding.requirement in known:
            requirement = known[finding.requirement]
            named = dict(links(requirement.source))
            where = [f"[{escaped(part)}]({url})" for part, url in named.items()] or [escaped(requirement.source)]
            lines += ["", f"{escaped(requirement.statement)} ({', '.join(where)})"]
    if not result.missed:
        lines += block(told(result) or result.verdict.meaning)
    return "\n".join([*lines, "", "Run just this check again:", "", *block(result.reproduce), ""])


def _all(report: Report) -> str:
    rows = [
        f"| {_MARKS.get(result.verdict, '')} {result.verdict} | {escaped(name_of(result))} | {escaped(result.title)} | "
        f"{duration(result.seconds)} |"
        for result in report.checks
    ]
    head = f"<details><summary>{amount(len(rows), 'check')}</summary>"
    table = ["| | check | | |", "|---|---|---|---|", *rows]
    return "\n".join([head, "", *table, "", "</details>", ""])


def _of_check(kind: str, report: Report, result: CheckResult) -> str:
    text = "\n".join(map(describe, result.missed)) or told(result) or first_line(result)
    if result.reproduce:
        text += f"\nreproduce: {result.reproduce}"
    return _command(kind, report, f"{result.verdict} {name_of(result)}", text)


def _command(kind: str, report: Report, title: str, text: str) -> str:
    place = f"file={_property(report.driver.file)}," if _of_a_repository(report.driver.file) else ""
    return f"::{kind} {place}title={_property(title)}::{_data(text)}"


def _of_a_repository(file: str) -> bool:
    """Whether a driver file may be one of the repository: those that ship go by a name, or lie where we do."""
    path = PurePath(file)
    return path.suffix in (".yaml", ".yml", ".json") and not path.is_relative_to(str(files("conformance")))


def _data(text: str) -> str:
    """A command ends at the end of its line, and `%` begins what stands for a character."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
