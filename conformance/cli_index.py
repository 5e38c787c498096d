"""The public index of submitted reports: `index check`, `index site`, `index add`."""

from pathlib import Path
from typing import Annotated

import typer

from conformance.cli_report import REPORT, _suite

NOTHING = 5
INDEX = "The index: the folder that holds submissions/."

index = typer.Typer(help="A public index of submitted reports, and its site.", no_args_is_help=True)


@index.command()
def check(folder: Annotated[Path, typer.Argument(metavar="DIR", help=INDEX)]) -> int:
    """Say whether every submission of an index can be shown: sound, derived from its history once more, in its place.

    Failing and partial ones can be; each is told with what it stands for. Exit status: 0 when all can be shown, 8 when
    one cannot, 5 when there is none, 4 when DIR is no index.
    """
    from conformance.index.checking import check as looked_at
    from conformance.report.text import amount, visible
    from conformance.report.verify import NOT_SOUND

    checked = looked_at(_index(folder), _suite())
    for problem in checked.problems:
        typer.echo(visible(problem), err=True)
    for entry in checked.entries:
        part = f" ({entry.part})" if entry.part else ""
        typer.echo(visible(f"{entry.place.name}: {entry.standing}{part}"))
    if checked.problems:
        return NOT_SOUND
    if not checked.entries:
        typer.echo(f"{folder}: holds no submission; `dra-conformance index add` makes one", err=True)
        return NOTHING
    typer.echo(f"{amount(len(checked.entries), 'submission')}, each verdict follows from its history.")
    return 0


@index.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=INDEX)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the site is written.")],
) -> int:
    """Make the static site of an index: pages that open from disk and ask for nothing.

    Nothing is written when `index check` has something against the index. Exit status: as that of `index check`; 4 when
    the folder cannot be written, or holds something else than a site of an index.
    """
    from conformance.index.checking import check as looked_at
    from conformance.index.site import SiteError, write
    from conformance.report.text import amount, visible
    from conformance.report.verify import NOT_SOUND

    checked = looked_at(_index(folder), _suite())
    for problem in checked.problems:
        typer.echo(visible(problem), err=True)
    if checked.problems:
        return NOT_SOUND
    if not checked.entries:
        typer.echo(f"{folder}: holds no submission; `dra-conformance index add` makes one", err=True)
        return NOTHING
    try:
        write(checked.entries, folder, output)
    except SiteError as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(f"{output / 'index.html'}: {amount(len(checked.entries), 'submission')}")
    return 0


@index.command()
def add(
    run: Annotated[Path, typer.Argument(metavar="REPORT", help=REPORT)],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=f"{INDEX} It is made where there is none.")],
    organisation: Annotated[str, typer.Option(metavar="NAME", help="Who submits.")],
    homepage: Annotated[str, typer.Option(metavar="URL", help="Homepage of the driver, where it has one.")] = "",
    reproduce: Annotated[
        str, typer.Option(metavar="TEXT", help="Commands that repeat the run (default: those of the report).")
    ] = "",
    driver_version: Annotated[
        str, typer.Option(metavar="VERSION", help="Version of the driver, where the report has none.")
    ] = "",
    notes: Annotated[str, typer.Option(metavar="TEXT", help="What a reader should know besides.")] = "",
) -> int:
    """Make a submission of a run: report.json, its history packed, metadata.yaml; names of home folders are taken out.

    history.jsonl must lie beside report.json. Exit status: 0, 8 when the run cannot be shown, 4 when there is none, it
    is in the index already, its version is another than the one given, or DIR cannot be written.
    """
    from conformance.index.adding import AddError
    from conformance.index.adding import add as added
    from conformance.index.metadata import Metadata
    from conformance.report.store import ReportError
    from conformance.report.text import visible
    from conformance.report.verify import NOT_SOUND

    given = Metadata(organisation, reproduce, homepage, driver_version, notes)
    try:
        entry = added(run, folder, given, _suite())
    except ReportError as error:
        raise typer.BadParameter(str(error)) from None
    except AddError as error:
        if not error.unsound:
            raise typer.BadParameter(str(error)) from None
        typer.echo(visible(str(error)), err=True)
        return NOT_SOUND
    typer.echo(visible(f"{entry.place.folder}: {entry.standing}"))
    return 0


def _index(folder: Path) -> Path:
    from conformance.index.layout import SUBMISSIONS

    if not (folder / SUBMISSIONS).is_dir():
        raise typer.BadParameter(f"{folder / SUBMISSIONS}: there is no such folder; give the folder of an index")
    return folder
