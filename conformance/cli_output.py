"""What `-o` names: made with the folders that lead there, and never what it is made of."""

from collections.abc import Iterable
from pathlib import Path

import typer


def refuse_own(output: Path, reports: Iterable[Path], *, folder: bool = False) -> None:
    """Refuse to write over the report or the history of a run; with `folder`, anywhere in the folder of one.

    Raises typer.BadParameter.
    """
    from conformance.history import HISTORY_FILE
    from conformance.report.store import REPORT_FILE, file_of

    wanted = output.resolve()
    for file in map(file_of, reports):
        run = file.resolve().parent
        if wanted in (file.resolve(), run / REPORT_FILE, run / HISTORY_FILE):
            raise typer.BadParameter(f"{output}: is what the run has left; give another file with --output")
        if folder and wanted.is_relative_to(run):
            raise typer.BadParameter(f"{output}: lies in the folder of the run; give one elsewhere with --output")


def write(file: Path, text: str) -> None:
    """Write a text, and make the folders that are missing on the way. Raises typer.BadParameter."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{file}: cannot be written ({error.strerror}); give another file") from None
