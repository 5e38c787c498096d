"""The summary at the end of a run in a terminal or a CI log: findings first, the verdict last, where the eye ends."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from conformance.report.behaviours import behaviours
from conformance.report.blocked import blocked
from conformance.report.model import CheckResult, FindingRecord, Outcome, Report
from conformance.report.obligations import exit_meaning, headline
from conformance.report.text import amount, duration, shown, visible
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

MAX_OF_A_KIND = 10
FIRST_LINES, LAST_LINES = 2, 5  # of a long text: what it is about, and how it ends, where logs have the cause

_STYLES = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.WARN: "yellow",
    Verdict.WAIVED: "blue",
    Verdict.INCONCLUSIVE: "magenta",
    Verdict.BLOCKED: "cyan",
}
_COLOURS = {Outcome.CONFORMANT: "bold green", Outcome.SELECTION: "bold green", Outcome.WAIVED: "bold blue"}


def terminal_summary(report: Report, console: Console | None = None, *, folder: Path | None = None) -> None:
    """Print the summary. `folder` is where the report was written; the console decides on width and colour."""
    from rich.console import Console

    console = console or Console()
    for part in _parts(report, folder):
        console.print(part, crop=False)


def summary_text(report: Report, *, width: int = 80, colour: bool = False, folder: Path | None = None) -> str:
    """The summary as text, with ANSI colours where asked for."""
    from rich.console import Console

    file = io.StringIO()
    system: Literal["standard"] | None = "standard" if colour else None
    console = Console(file=file, width=width, force_terminal=colour, color_system=system, _environ={})
    terminal_summary(report, console, folder=folder)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def _parts(report: Report, folder: Path | None) -> Iterator[RenderableType]:
    from rich.rule import Rule
    from rich.text import Text

    yield Rule("DRA conformance", style="dim")
    for verdict in (Verdict.FAIL, Verdict.WARN, Verdict.WAIVED, Verdict.INCONCLUSIVE):
        yield from _kind(report, verdict)
    yield from _blocked(report)
    yield from _notes(report)
    yield from _behaviours(report)
    yield _counts(report)
    if folder is not None:
        yield _row("Report", str(folder / "index.html"))
    if report.exit_status is not None:
        yield _row("Exit status", f"{report.exit_status}, {exit_meaning(report)}")
    yield Text(visible(headline(report)), style=_COLOURS.get(report.outcome, "bold red"))


def _kind(report: Report, verdict: Verdict) -> Iterator[RenderableType]:
    from rich.text import Text

    results = report.with_verdict(verdict)
    for result in results[:MAX_OF_A_KIND]:
        yield from _entry(result)
    more = len(results) - MAX_OF_A_KIND
    if more > 0:
        yield Text(f"{amount(more, f'more {verdict} check')}: see the report\n", style="dim")


def _blocked(report: Report) -> Iterator[RenderableType]:
    """Blocked checks in a few lines: one for each check that is at the root of it."""
    from rich.text import Text

    groups = blocked(report)
    for group in groups:
        verdict = f", which is {group.root.verdict}" if group.root else ""
        yield Text.assemble(
            (Verdict.BLOCKED.value, _STYLES[Verdict.BLOCKED]), f"  {group.subject} {visible(group.needs)}{verdict}"
        )
        yield _indented(", ".join(result.id for result in group.checks))
    if groups:
        yield Text()


def _entry(result: CheckResult) -> Iterator[RenderableType]:
    from rich.console import Group
    from rich.text import Text

    yield Text.assemble((result.verdict.replace("_", " "), _STYLES[result.verdict]), "  ", (visible(result.id), "bold"))
    yield _indented(result.title)
    if result.remark and result.verdict is not Verdict.WAIVED:  # there it is what stands at the findings
        yield _indented(_cut(visible(result.remark)))
    for finding in result.missed:
        yield _finding(finding)
    if result.reproduce:
        # Never wrapped: a command is there to be copied. A Group, as the console rebuilds a bare Text that may wrap.
        yield Group(Text.assemble(("  reproduce  ", "dim"), visible(result.reproduce), no_wrap=True, overflow="ignore"))
    yield Text()


def _finding(finding: FindingRecord) -> RenderableType:
    from rich.console import Group

    rows = [_row("expected", f"that {finding.sentence} ({finding.requirement}, {finding.level})", indent=2)]
    if finding.got is not None or finding.want is not True:
        rows.append(_row("observed", shown(finding.got), indent=2))
    if finding.want is not True:
        rows.append(_row("wanted", shown(finding.want), indent=2))
    if finding.waived:
        rows.append(_row("waived", str(finding.waived).removeprefix("waived "), indent=2))
    return Group(*rows)


def _notes(report: Report) -> Iterator[RenderableType]:
    from rich.text import Text

    for note in report.notes:
        yield _row("Note", note)
    if report.notes:
        yield Text()


def _behaviours(report: Report) -> Iterator[RenderableType]:
    from rich.text import Text

    rows = behaviours(report)
    for row in rows:
        verdict = row.verdict.replace("_", " ")
        checks = ", ".join(row.behaviour.checks)
        style = _STYLES.get(row.verdict, "")
        yield Text.assemble(f"{row.behaviour.number}  {row.behaviour.title}: ", (verdict, style), f" ({checks})")
    if rows:
        yield Text()


def _counts(report: Report) -> RenderableType:
    from rich.text import Text

    line = Text()
    for verdict in Verdict:
        number = len(report.with_verdict(verdict))
        if number:
            line.append(", " if line else "")
            line.append(f"{number} {verdict.lower().replace('_', ' ')}", style=_STYLES.get(verdict, ""))
    took = "" if report.finished is None else f" in {duration(report.finished - report.started)}"
    return Text.assemble(f"{amount(len(report.checks), 'check')}{took}", ": " if line else "", line)


def _row(name: str, text: str, indent: int = 0) -> RenderableType:
    """A name and its text, wrapped beside the name."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=11 - indent if indent else 11, no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(Text(name, style="dim"), Text(_cut(visible(text))))
    return _padded(table, indent)


def _indented(text: str) -> RenderableType:
    from rich.text import Text

    return _padded(Text(visible(text)), 2)


def _padded(part: RenderableType, indent: int) -> RenderableType:
    from rich.padding import Padding

    return Padding(part, (0, 0, 0, indent))


def _cut(text: str) -> str:
    lines = text.strip("\n").splitlines()
    more = len(lines) - FIRST_LINES - LAST_LINES
    if more > 1:
        lines[FIRST_LINES:-LAST_LINES] = [f"… {more} more lines: see the report"]
    return "\n".join(lines)
