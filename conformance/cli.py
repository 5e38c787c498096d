"""`dra-conformance`: run the suite, list and explain its checks, print its schemas, verify and compare reports, keep a
cluster to try things on.

What a command needs is imported when it runs, so that the help is there at once.
"""

import json
import re
import shutil
import sys
import traceback
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from conformance.cli_bundle import bundle
from conformance.cli_coverage import coverage
from conformance.cli_gate import GATE
from conformance.cli_index import index
from conformance.cli_report import analyze, badge, compare, report, verify
from conformance.cli_template import driver_template
from conformance.cli_up import down, status, up
from conformance.cli_waivers import baseline

if TYPE_CHECKING:
    from conformance.catalogue import Entry
    from conformance.requirement import Requirement

INTERRUPTED, INTERNAL_ERROR, USAGE = 2, 3, 4

app = typer.Typer(name="dra-conformance", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
for command in (verify, analyze, compare, badge, baseline, bundle, coverage, driver_template, *GATE, up, down, status):
    # What is too much for `down` is taken, as it can say better what was meant.
    app.command(context_settings={"allow_extra_args": command is down})(command)
app.add_typer(report, name="report")
app.add_typer(index, name="index")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status.

    What the user got wrong is 4, in one sentence; a fault of ours is 3, never 1, which blames the driver.
    """
    try:
        status = app(args=None if arguments is None else list(arguments), standalone_mode=False)
    except typer.TyperException as error:
        typer.echo(f"dra-conformance: {error.format_message()}", err=True)
        return USAGE
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception:
        traceback.print_exc()
        return INTERNAL_ERROR
    return status if isinstance(status, int) else 0


@app.callback(invoke_without_command=True)
def dra_conformance(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Conformance suite for Kubernetes Dynamic Resource Allocation (DRA) drivers."""
    if version:
        from conformance import __version__

        typer.echo(f"dra-conformance {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(USAGE)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    options_metavar="[OPTIONS] [ARGUMENTS OF PYTEST]",
)
def run(context: typer.Context) -> int:
    """Run the checks against a driver; the arguments are those of pytest and of the suite.

    For example: dra-conformance run --driver=my-driver.yaml -k preparation

    Exit status: 0 conformant, 1 a MUST is broken, 2 interrupted, 3 internal error, 4 usage,
    5 nothing collected, 6 inconclusive, 7 incomplete.
    """
    if {"-h", "--help"} & set(context.args):
        from conformance.session.options import described

        typer.echo(f"{context.get_help()}\n\nOptions:")
        for name, meaning in described():
            typer.echo(f"  {name}\n      {meaning}")
        return 0
    from conformance.cli_run import run as run_checks

    return run_checks(context.args)


@app.command("list")
def list_(
    profile: Annotated[str | None, typer.Option(help="Only those of this profile.")] = None,
    area: Annotated[str | None, typer.Option(help="Only those of this area.")] = None,
    requirements: Annotated[bool, typer.Option(help="List requirements instead, uncovered ones first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the checks, or the requirements and how many checks cover them; JSON and `explain` name these."""
    from conformance.session.options import PROFILES

    rows = _requirement_rows() if requirements else _check_rows()
    _known("profile", profile, {*PROFILES, *(row["profile"] for row in rows)})
    _known("area", area, {row["area"] for row in rows})
    chosen = [row for row in rows if profile in (None, row["profile"]) and area in (None, row["area"])]
    if as_json:
        typer.echo(json.dumps(chosen, indent=2))
    elif not chosen:
        typer.echo(f"There is no such {'requirement' if requirements else 'check'} yet.", err=True)
    elif requirements:
        counted = [{**row, "checks": _count(len(row["checks"]))} for row in chosen]
        _table(counted, ("id", "level", "profile", "checks", "statement"), width=_terminal_width())
    else:
        _table(chosen, ("id", "profile", "tier", "covers", "title"))


@app.command()
def explain(id: Annotated[str, typer.Argument(help="Id of a check or of a requirement, or a verdict.")]) -> None:
    """Explain a check or a requirement: what it says, where it comes from, what covers it; or a verdict."""
    from conformance.catalogue import all_checks
    from conformance.requirement import catalogue
    from conformance.verdict import Verdict

    checks, requirements = all_checks(), catalogue()
    verdict = id.upper().replace("-", "_")
    if verdict in list(Verdict):
        typer.echo(f"{verdict}  {Verdict(verdict).meaning}")
    elif id in checks:
        typer.echo(_explain_check(checks[id], requirements))
    elif id.upper() in requirements:
        typer.echo(_explain_requirement(requirements[id.upper()]))
    else:
        raise typer.BadParameter(f"there is no check or requirement {id!r}{_nearest(id, [*checks, *requirements])}.")


class Document(StrEnum):
    """Files that have a published JSON schema."""

    DRIVER = "driver"
    REPORT = "report"
    WAIVERS = "waivers"


@app.command()
def schema(of: Annotated[Document, typer.Argument(help="Which file the schema describes.")]) -> None:
    """Print the JSON schema of driver files, of report.json or of files of waivers."""
    if of is Document.DRIVER:
        from conformance.target.schema import schema_text

        typer.echo(schema_text(), nl=False)
    elif of is Document.WAIVERS:
        from conformance.waivers.model import schema_text as schema_of_waivers

        typer.echo(schema_of_waivers(), nl=False)
    else:
        from conformance.report.model import report_schema

        typer.echo(json.dumps(report_schema(), indent=2))


def _check_rows() -> list[dict[str, Any]]:
    from conformance.catalogue import all_checks

    return [
        {
            "id": entry.check.id,
            "area": entry.check.area,
            "profile": entry.check.profile,
            "tier": entry.check.tier.value,
            "title": entry.check.title,
            "covers": list(entry.check.covers),
            "needs": list(entry.check.needs),
            "features": list(entry.check.features),
            "hooks": list(entry.check.hooks),
            "file": str(entry.file),
        }
        for entry in all_checks().values()
    ]


def _requirement_rows() -> list[dict[str, Any]]:
    from conformance.catalogue import covering
    from conformance.requirement import catalogue

    rows = [
        {
            "id": requirement.id,
            "area": requirement.area,
            "level": requirement.level.value,
            "profile": requirement.feature or "core",
            "statement": requirement.statement,
            "source": requirement.source,
            "since": requirement.since,
            "judgement": requirement.judgement,
            "unchecked": requirement.unchecked,
            "checks": [entry.check.id for entry in covering(requirement.id)],
        }
        for requirement in catalogue().values()
    ]
    return sorted(rows, key=lambda row: bool(row["checks"]))


def _known(option: str, value: str | None, values: Collection[str]) -> None:
    if value is not None and value not in values:
        raise typer.BadParameter(f"there is no {option} {value!r} here; known are {', '.join(sorted(values))}.")


def _count(checks: int) -> str:
    return f"{checks} check{'' if checks == 1 else 's'}"


def _terminal_width() -> int | None:
    """Characters in a line of the terminal, None where something else reads."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _table(rows: list[dict[str, Any]], columns: Sequence[str], width: int | None = None) -> None:
    """Print rows; with a width, what is longer ends in `…`."""
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    widths = [max((len(line[i]) for line in cells), default=0) for i in range(len(columns))]
    for line in cells:
        text = "  ".join(cell.ljust(wide) for cell, wide in zip(line, widths, strict=True)).rstrip()
        typer.echo(text if width is None or len(text) <= width else f"{text[: width - 1].rstrip()}…")


def _cell(value: Any) -> str:
    return (" ".join(value) or "-") if isinstance(value, list) else str(value)


def _nearest(id: str, known: Sequence[str]) -> str:
    lower = {name.lower(): name for name in known}
    padded = re.sub(r"\d+$", lambda number: number[0].zfill(2), id.lower())  # PREP-5 is PREP-05
    near = get_close_matches(padded, list(lower), n=1, cutoff=0.6)
    return f"; the nearest is {lower[near[0]]}" if near else ""


def _explain_check(entry: "Entry", requirements: Any) -> str:
    check = entry.check
    facts = {
        "profile": check.profile,
        "tier": check.tier.value,
        "needs": ", ".join(check.needs),
        "features": ", ".join(check.features),
        "hooks": ", ".join(check.hooks),
        "file": str(entry.file),
    }
    lines = [check.id, "", entry.docstring, ""]
    lines += [f"{name:9} {value}" for name, value in facts.items() if value]
    for requirement in check.covers:
        lines += ["", *_stated(requirements[requirement])]
    return "\n".join(lines)


def _explain_requirement(requirement: "Requirement") -> str:
    from conformance.catalogue import covering

    lines = [*_stated(requirement), ""]
    lines.append(f"since     Kubernetes {requirement.since}")
    if requirement.feature:
        lines.append(f"asked of  drivers with the feature {requirement.feature}")
    lines += _advised(requirement.id)
    entries = covering(requirement.id)
    lines += ["", _whether_covered(requirement, bool(entries))]
    lines += [f"  {entry.check.id}  {entry.check.title}" for entry in entries]
    return "\n".join(lines)


def _advised(requirement: str) -> list[str]:
    from conformance.advice import advice

    entry = advice().get(requirement)
    if entry is None:
        return []
    return [
        "",
        "Usual causes when it is broken:",
        *(f"  - {cause}" for cause in entry.causes),
        f"How to mend it: {entry.fix}",
    ]


def _whether_covered(requirement: "Requirement", covered: bool) -> str:
    if covered:
        return "Checks that cover it:"
    return f"No check covers it: {requirement.unchecked}" if requirement.unchecked else "No check covers it yet."


def _stated(requirement: "Requirement") -> list[str]:
    level = f"{requirement.level}{' (our judgement)' if requirement.judgement else ''}"
    return [f"{requirement.id}  {level}", f"  {requirement.statement}", f"  Source: {requirement.source}"]


if __name__ == "__main__":
    sys.exit(main())
