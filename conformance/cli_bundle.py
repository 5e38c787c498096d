"""`dra-conformance bundle`: the evidence of a run as one archive."""

from pathlib import Path
from typing import Annotated

import typer

from conformance.cli_output import refuse_own
from conformance.cli_report import REPORT, relied_on


def bundle(
    path: Annotated[Path, typer.Argument(metavar="REPORT", help=REPORT)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The archive to write.")] = Path(
        "evidence.tar.gz"
    ),
) -> int:
    """Put report, history, logs, versions and how to run it again into one archive, with their SHA-256 sums.

    It is made of a report that is sound, as `verify` says, however the run has ended: its README says how. Exit status:
    0 it is made; 8 the report is not sound, and nothing is written; 4 there is no such file, or the archive cannot be
    written, or would lie in the folder of the run.
    """
    from conformance.report.bundle import BundleError
    from conformance.report.bundle import bundle as make

    refuse_own(output, [path], folder=True)
    report = relied_on(path)
    try:
        make(report, path, output)
    except BundleError as error:
        raise typer.BadParameter(f"{error}; give another file with --output") from None
    typer.echo(f"{output}")
    return 0
