"""What is done with reports that are there: `verify`, `analyze`, `compare`, `badge`, `report matrix`, `convert`."""

import shlex
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conformance.cli_output import refuse_own, write

if TYPE_CHECKING:
    from conformance.check import Check
    from conformance.report.derive import Derived
    from conformance.report.model import FindingRecord, Report
    from conformance.report.verify import Suite, Verified
    from conformance.requirement import Level

REPORT = "A report.json, or the folder that holds it."


class Format(StrEnum):
    """Formats of a report, by their names in `conformance.report.formats`, which is not imported for the help."""

    JUNIT = "junit"
    CTRF = "ctrf"
    SARIF = "sarif"
    GITHUB_SUMMARY = "github-summary"
    GITHUB_ANNOTATIONS = "github-annotations"


report = typer.Typer(help="Pages made of several reports, and other formats of one.", no_args_is_help=True)


def verify(path: Annotated[Path, typer.Argument(metavar="REPORT", help=REPORT)]) -> int:
    """Say whether a report can be relied on: whole, not changed by hand, each verdict following from its history.

    history.jsonl must lie beside it. Exit status: that of the run when the report is sound, so 0 only when nothing is
    broken; 8 when it is not sound; 4 when there is no such file.
    """
    verified = verified_report(path)
    _tell(verified)
    if verified.sound and verified.report:
        from conformance.report.obligations import headline
        from conformance.report.text import amount, visible
        from conformance.report.verify import unpublished

        ran = amount(len(verified.report.checks), "check")
        typer.echo(f"Sound: {ran}, each verdict follows from the {verified.events} events of the history.")
        typer.echo(visible(headline(verified.report)))
        if not verified.published:
            typer.echo(visible(f"Nothing could be judged that needs a device: {unpublished(verified.report)}."))
    return verified.status


def analyze(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run's report, or its history.jsonl.")],
    driver: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The driver file of the run, where it is no longer where it was.")
    ] = "",
) -> int:
    """Judge a recorded run again, without a cluster, and print the verdicts that differ.

    Levels are those of today's catalogue, and checks that look at the whole run at its end are run once more over the
    history. Exit status: 0 when no verdict differs, 1 when one does, 8 when the history cannot be read.
    """
    from conformance.history import HISTORY_FILE
    from conformance.report.derive import HistoryError, derive, rows
    from conformance.report.text import amount
    from conformance.report.verify import NOT_SOUND

    file = run / HISTORY_FILE if run.is_dir() else run
    if not file.is_file():
        raise typer.BadParameter(f"{file}: there is no such file; give the folder of a run or its {HISTORY_FILE}")
    try:
        events = list(rows(file))
        checks = derive(events, level=_level_today)
    except HistoryError as error:
        typer.echo(f"{error}", err=True)
        return NOT_SOUND
    checks = _judged_at_the_end(checks, events, file.parent, driver)
    differing = [check for check in checks if check.told is not check.verdict]
    for check in differing:
        typer.echo(_difference(check))
    typer.echo(f"{amount(len(checks), 'check')} judged again, {len(differing) or 'none'} differently.")
    _tell_of_waivers(file.parent)
    return 1 if differing else 0


def _tell_of_waivers(folder: Path) -> None:
    """What was judged again are findings; whether somebody answers for them is another matter."""
    from conformance.report import ReportError, load
    from conformance.verdict import Verdict

    with suppress(ReportError):
        waived = len(load(folder).with_verdict(Verdict.WAIVED))
        if waived:
            typer.echo(f"{waived} of them are waived in the report; waivers change no verdict here.")


def _judged_at_the_end(
    checks: "list[Derived]", events: "list[dict[str, Any]]", folder: Path, driver: str
) -> "list[Derived]":
    """The checks, those at the end judged once more where it is known what run this was."""
    from conformance.rejudge import rejudged
    from conformance.report import ReportError, load
    from conformance.target import Target, TargetError

    try:
        known = load(folder)
        target = Target.load(driver or known.driver.file, process=False)
    except (ReportError, TargetError) as error:
        typer.echo(f"Checks at the end of the run are not run once more: {error}", err=True)
        return checks
    return rejudged(checks, events, target, known.cluster.get("nodes") or [""])


def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help=REPORT)],
    new: Annotated[Path, typer.Argument(metavar="NEW", help=REPORT)],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print markdown, for a pull request.")] = False,
) -> int:
    """Say what is broken, mended, new, gone or slower in a newer report of a driver.

    Each must be sound, as `verify` says; where its history is not beside it, by its footer and its checks.

    Exit status: 1 when something broke, 6 when something is no longer judged or gone, else 0; 8 when one of them cannot
    be relied on.
    """
    from conformance.report.compare import as_markdown, as_text
    from conformance.report.compare import compare as held_against

    comparison = held_against(relied_on(old, alone=True), relied_on(new, alone=True))
    typer.echo(as_markdown(comparison) if markdown else as_text(comparison), nl=False)
    return comparison.status


def badge(
    path: Annotated[Path, typer.Argument(metavar="REPORT", help=REPORT)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The SVG to write.")],
) -> int:
    """Draw a badge of a report: green only for a report that is sound and says that the driver is conformant.

    It is written in any case. Exit status: as that of `verify`.
    """
    from conformance.report.badge import badge as drawn

    refuse_own(output, [path])
    verified = verified_report(path)
    _tell(verified)
    write(output, drawn(verified))
    return verified.status


@report.callback()
def pages() -> None:
    """Pages made of several reports, and other formats of one."""


@report.command()
def matrix(
    paths: Annotated[list[Path], typer.Argument(metavar="REPORT...", help="Files report.json, or their folders.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")],
) -> int:
    """Draw checks × drivers × versions of Kubernetes on one page, which needs nothing but itself.

    Exit status: 0, or 8 when one of the reports is not sound; its column says so.
    """
    from conformance.report.matrix import Column, matrix_page
    from conformance.report.verify import NOT_SOUND

    refuse_own(output, paths)
    columns = []
    for path in paths:
        verified = verified_report(path)
        _tell(verified)
        columns.append(Column.of(verified, path, output.parent))
    write(output, matrix_page(columns))
    return 0 if all(column.sound for column in columns) else NOT_SOUND


@report.command()
def convert(
    path: Annotated[Path, typer.Argument(metavar="REPORT", help=REPORT)],
    to: Annotated[Format, typer.Option("--to", help="The format.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write (default: standard output)."),
    ] = None,
) -> int:
    """Give a report out in another format; it must be sound, as `verify` says.

    Exit status: 0, or 8 when the report cannot be relied on, and nothing is written.
    """
    from conformance.report.formats import FORMATS

    if output:
        refuse_own(output, [path])
    text = FORMATS[to](relied_on(path))
    if output:
        write(output, text)
    else:
        typer.echo(text, nl=False)
    return 0


def verified_report(path: Path) -> "Verified":
    """What `verify` says of a report, held against this suite. Raises typer.BadParameter where there is none."""
    from conformance.report.verify import verify as hold

    return hold(_there(path), _suite())


def relied_on(path: Path, *, alone: bool = False) -> "Report":
    """The report, when it is sound; with `alone` also one whose history is not beside it, which is said.

    Raises typer.BadParameter where there is none, and typer.Exit after one sentence where it cannot be relied on.
    """
    from conformance.report.text import visible
    from conformance.report.verify import NOT_SOUND

    verified = verified_report(path)
    if verified.report and (verified.sound or (alone and verified.alone)):
        if not verified.sound:
            typer.echo(visible(f"{verified.problems[0]}, so its verdicts are taken as they stand there"), err=True)
        return verified.report
    more = f", so it cannot be relied on; see dra-conformance verify {shlex.quote(str(path))}"
    typer.echo(visible(f"{verified.problems[0]}{more if verified.report else ''}"), err=True)
    raise typer.Exit(NOT_SOUND)


def _there(path: Path) -> Path:
    from conformance.report.store import file_of

    if not file_of(path).is_file():
        raise typer.BadParameter(f"{file_of(path)}: there is no such file; give a report.json or its folder")
    return path


def _tell(verified: "Verified") -> None:
    from conformance.report.text import visible

    for problem in verified.problems:
        typer.echo(visible(problem), err=True)


def _suite() -> "Suite":
    from conformance.identity import catalogue_digest, suite_digest
    from conformance.report.verify import Suite
    from conformance.requirement import catalogue

    return Suite(suite_digest(), catalogue_digest(), _checks, catalogue())


def _checks() -> "Mapping[str, Check]":
    from conformance.catalogue import all_checks

    return {id: entry.check for id, entry in all_checks().items()}


def _level_today(finding: "FindingRecord") -> "Level":
    from conformance.requirement import catalogue

    known = catalogue().get(finding.requirement)
    return known.level if known else finding.level


def _difference(check: "Derived") -> str:
    from conformance.report.text import visible

    told = check.told or "nothing, as it did not end"
    missed = [f"{f.requirement}: {f.sentence}" for f in check.findings if not f.holds]
    why = f"  ({'; '.join(missed)})" if missed else ""
    return visible(f"{check.id}  {told} → {check.verdict}{why}")
