"""`dra-conformance driver-template`: begin a driver file."""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def driver_template(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write; it is made if it is not there.")
    ] = Path(),
    name: Annotated[str, typer.Option(metavar="NAME", help="The driver's name, as in its ResourceSlices.")] = "",
    command: Annotated[
        str,
        typer.Option(
            metavar="COMMAND", help="What starts it: a program, or all of its command line, with placeholders."
        ),
    ] = "",
    image: Annotated[
        str, typer.Option(metavar="IMAGE", help="Image that it is run from; --command then has its arguments.")
    ] = "",
) -> None:
    """Write a commented driver file, a first check of your own, and a job for CI; what is not given stays a blank.

    For example: dra-conformance driver-template conformance --name=gpu.my-company.com --command=./my-driver

    Nothing is written over. Exit status: 0, 4 when name or command cannot be right, or when a file is there already or
    cannot be written.
    """
    from conformance.template import Blanks, Refused, write

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"--command={command} cannot be split into words: {error}.") from None
    blanks = Blanks(name, words, image)
    try:
        written = write(folder, blanks)
    except Refused as error:
        raise typer.BadParameter(f"{error}.") from None
    for path in written:
        typer.echo(f"wrote {path}", err=True)
    driver = folder / "driver.yaml"
    todo = f"fill in the blanks of {driver}, then: " if blanks.left else "now: "
    typer.echo(f"{todo}dra-conformance run --driver={_path(driver)}", err=True)


def _path(path: Path) -> str:
    """As it must be typed: without a / it would be the name of a driver file that ships."""
    return shlex.quote(str(path) if "/" in str(path) else f"./{path}")
