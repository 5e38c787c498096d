"""`dra-conformance baseline`: a file of waivers for what a run has found."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from conformance.cli_report import REPORT, relied_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.report import Report
    from conformance.report.baseline import Present

_LONGEST = 3660


def baseline(
    paths: Annotated[
        list[Path], typer.Argument(metavar="REPORT...", help=f"{REPORT} Several of a driver with a race.")
    ],
    owner: Annotated[str, typer.Option(metavar="NAME", help="Who answers for these findings.")],
    issue: Annotated[str, typer.Option(metavar="URL|TEXT", help="Where it is being worked on.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why they are let pass.")] = "",
    days: Annotated[int, typer.Option(min=1, max=_LONGEST, help="How long, from today.")] = 90,
    observed: Annotated[
        bool, typer.Option("--observed", help="Let pass what was observed this time, and nothing else.")
    ] = False,
) -> int:
    """Print a file of waivers for everything that was found, to be given to the next run with --waivers.

    For example: dra-conformance baseline conformance-report --owner=gpu-team --issue=GPU-17 > waivers.yaml

    Exit status: 0, or 8 when a report cannot be relied on, as `verify` says.
    """
    from pydantic import ValidationError

    from conformance.report.baseline import baseline_text, present
    from conformance.waivers.model import Waived

    today = datetime.now(UTC).date()
    told = reason or f"Known since the baseline of {today}."
    try:
        given = Waived(owner=owner, issue=issue, reason=told, expires=today + timedelta(days=days))
    except ValidationError as error:
        name = error.errors()[0]["loc"][0]
        raise typer.BadParameter(f"--{name}: give a text of at most 2000 characters.") from None
    reports = [relied_on(path) for path in paths]
    found = present(reports, given, observed=observed)
    typer.echo(baseline_text(reports, found), nl=False)
    _remark(reports, found)
    return 0


def _remark(reports: "Sequence[Report]", found: "list[Present]") -> None:
    """What whoever writes a baseline has to know, on stderr."""
    from conformance.report import Outcome
    from conformance.report.text import amount
    from conformance.verdict import Verdict

    known = sum(each.finding.waived is not None for each in found)
    said = f"{amount(len(found), 'finding')}" + (f", {known} of them waived already" if known else "")
    typer.echo(f"{said}. A run with these waivers is not conformant where one of them is a MUST.", err=True)
    unsure = sum(len(report.with_verdict(Verdict.INCONCLUSIVE)) for report in reports)
    if unsure:
        typer.echo(f"{amount(unsure, 'check')} could not judge, and no waiver covers that.", err=True)
    if any(report.outcome in (Outcome.INTERRUPTED, Outcome.ERROR, Outcome.INCOMPLETE) for report in reports):
        typer.echo("A run did not come to its end, so there may be more findings.", err=True)
