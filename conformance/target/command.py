"""The command line of a driver, with its placeholders filled in."""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.target.model import ImageSection, ProcessSection
from conformance.target.placeholders import fill, names
from conformance.target.problems import TargetError

STATE_DIR = "{plugins_dir}/{driver_name}"
"""Where a driver keeps its state when the driver file does not say."""


@dataclass(frozen=True)
class Image:
    """A container to run instead of a program: its image, and what of this machine is mounted where."""

    reference: str
    mounts: Mapping[Path, str]
    privileged: bool


@dataclass(frozen=True)
class CommandLine:
    """What it takes to start a driver: no shell; `folders` and `files` are made before, `cwd` is where it starts.

    image: for a driver in a container; `argv` are then the image's arguments, () for its own.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folders: tuple[Path, ...]
    files: Mapping[Path, str]
    cwd: Path
    image: Image | None = None


def command_line(process: ProcessSection, values: Mapping[str, str], *, next_version: bool = False) -> CommandLine:
    """The section `process` for one instance on one node. Relative paths are relative to the driver file."""
    values = {**values, "state_dir": fill(process.state_dir or STATE_DIR, values)}
    command, env = process.command, dict(process.env)
    if next_version and process.next_version:
        command = process.next_version.command or command
        env |= process.next_version.env
    here = Path(values["file_dir"])
    argv = [fill(part, values) for part in command]
    return CommandLine(
        argv=(_program(argv[0], here), *argv[1:]),
        env={fill(key, values): fill(value, values) for key, value in env.items()},
        folders=(Path(values["state_dir"]), *(here / fill(folder, values) for folder in process.folders)),
        files={here / fill(path, values): fill(text, values) for path, text in process.files.items()},
        cwd=here,
    )


def container_line(image: ImageSection, values: Mapping[str, str], *, next_version: bool = False) -> CommandLine:
    """The section `image` for one instance on one node. Relative paths are relative to the driver file."""
    values = {**values, "state_dir": fill(STATE_DIR, values)}
    reference, command, env = image.reference, image.command, dict(image.env)
    following = image.next_version
    if next_version and following:
        reference = following.reference or reference
        command = command if following.command is None else following.command
        env |= following.env
    here = Path(values["file_dir"])
    mounts = {here / fill(path, values): fill(inside, values) for path, inside in image.mounts.items()}
    return CommandLine(
        argv=tuple(fill(part, values) for part in command),
        env={fill(key, values): fill(value, values) for key, value in env.items()},
        folders=(Path(values["state_dir"]), *(path for path in mounts if not path.is_file())),
        files={},
        cwd=here,
        image=Image(reference, mounts, image.privileged),
    )


def hook_line(command: Sequence[str], process: ProcessSection | None, values: Mapping[str, str]) -> CommandLine:
    """A hook for one device of one node. Relative paths are relative to the driver file."""
    values = {**values, "state_dir": fill((process and process.state_dir) or STATE_DIR, values)}
    here = Path(values["file_dir"])
    argv = [fill(part, values) for part in command]
    return CommandLine(argv=(_program(argv[0], here), *argv[1:]), env={}, folders=(), files={}, cwd=here)


def find_program(program: str, values: Mapping[str, str], where: object, key: str) -> None:
    """Raises TargetError when there is no such program; a place that depends on node or build is not looked at."""
    if any(name not in values or name == "binary" for name in names(program)):
        return
    name = fill(program, values)
    found = _program(name, Path(values["file_dir"]))
    if shutil.which(found) is None:
        place = f"{found} does not exist or cannot be executed" if os.sep in found else f"{name!r} is not on PATH"
        raise TargetError(f"{where}: {key}: {place}; install it or mend {key}")


def _program(name: str, here: Path) -> str:
    """A program with a slash in its name is a path, relative to the driver file; else it is looked for on PATH."""
    return str(here / name) if os.sep in name else name
