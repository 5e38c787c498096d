"""Writing the files from their templates, with what is known about the driver filled in."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined
from pydantic import TypeAdapter, ValidationError

from conformance.target import placeholders
from conformance.target.model import DriverName
from conformance.target.problems import nearest

FILES = {
    "driver.yaml": "driver.yaml.j2",
    "own_checks/test_model.py": "test_model.py.j2",
    "conformance-ci.yaml": "conformance-ci.yaml.j2",
}
"""Each file, and its template."""

_PROGRAM = "<your program>"
_FLAGS = (
    "--kubeconfig={kubeconfig}",
    "--node-name={node_name}",
    "--plugins-dir={plugins_dir}",
    "--registry-dir={registry_dir}",
    "--cdi-dir={cdi_dir}",
)


class Refused(Exception):
    """The files cannot be written; the text says why, and what to do."""


@dataclass(frozen=True)
class Blanks:
    """What is known about the driver; what is not stays a blank in angle brackets, which no driver file may have.

    name: as in its ResourceSlices; command: argument list with placeholders, or the program alone; image: that it is
    run from, in which case the command is what takes the place of the image's arguments.
    """

    name: str = ""
    command: Sequence[str] = ()
    image: str = ""

    @property
    def line(self) -> Sequence[str]:
        """The argument list that starts it, with the usual flags for a program alone, or for an image."""
        if self.image:
            return self.command or _FLAGS[:2]
        program, *arguments = self.command or [_PROGRAM]
        return [program, *(arguments or _FLAGS)]

    @property
    def left(self) -> bool:
        """Whether the driver file has a blank."""
        return not (self.name and (self.command or self.image))

    @property
    def domain(self) -> str:
        """A domain of the driver's maker, for examples."""
        return ".".join(self.name.split(".")[-2:]) if "." in self.name else "my-company.com"


def write(folder: Path, blanks: Blanks) -> list[Path]:
    """Write all files below a folder, which is made where it is not there; returns them. Raises Refused.

    Where one is there already, or what is known cannot be true, none is written.
    """
    _check(blanks)
    there = [str(folder / name) for name in FILES if (folder / name).exists()]
    if there:
        raise Refused(f"{there[0]} is there already; give another folder, or move it away")
    try:
        return [_write(folder / name, _rendered(template, blanks, folder)) for name, template in FILES.items()]
    except OSError as error:
        raise Refused(f"{error.filename} cannot be written: {error.strerror}; give another folder") from None


def _check(blanks: Blanks) -> None:
    try:
        TypeAdapter(DriverName).validate_python(blanks.name or "unknown")
    except ValidationError:
        raise Refused(
            f"--name={blanks.name} is no driver name; "
            "give a DNS name of at most 63 characters, such as gpu.my-company.com"
        ) from None
    for name in placeholders.names(" ".join(blanks.command)):
        if name not in placeholders.KNOWN:
            known = [f"{{{each}}}" for each in placeholders.KNOWN]
            hint = nearest(f"{{{name}}}", known) or ";"
            raise Refused(f"--command has the unknown placeholder {{{name}}}{hint} known are {', '.join(known)}")


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    return path


def _rendered(template: str, blanks: Blanks, folder: Path) -> str:
    here = files("conformance.template")
    environment = Environment(
        loader=FunctionLoader(lambda name: here.joinpath(name).read_text(encoding="utf-8")),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters["quoted"] = lambda text: json.dumps(text, ensure_ascii=False)
    return environment.get_template(template).render(
        blank=blanks.left,
        name=blanks.name or "<your driver's name, as in its ResourceSlices>",
        line=blanks.line if blanks.image else [_seen_from(folder, blanks.line[0]), *blanks.line[1:]],
        image=blanks.image,
        domain=blanks.domain,
        vendor=blanks.domain.partition(".")[0],
        folder=folder.as_posix(),
    )


def _seen_from(folder: Path, program: str) -> str:
    """A program by its path relative to the driver file, which is what such a path means there."""
    if "/" not in program or os.path.isabs(program):
        return program
    path = os.path.relpath(program, folder)
    return path if "/" in path else f"./{path}"
