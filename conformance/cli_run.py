"""`dra-conformance run`: pytest on the suite; ini files, conftest.py and packages around it change nothing."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from conformance.session.options import PREFIX, SHORT

_PACKAGE = Path(__file__).parent


def command(arguments: Sequence[str]) -> list[str]:
    """The command that runs the suite; `arguments` are options of pytest and of the suite, or paths of more checks."""
    return [
        sys.executable,
        "-P",  # the folder that it is started in is no place to import from
        str(_PACKAGE / "session" / "launch.py"),
        f"--config-file={_PACKAGE / 'session' / 'run.ini'}",
        f"--rootdir={_PACKAGE.parent}",
        f"--confcutdir={_PACKAGE.parent}",
        str(_PACKAGE),
        *(_long_name(argument) for argument in arguments),
    ]


def _long_name(argument: str) -> str:
    """An option by the name that is only ours: here its short name is, too, whatever plugins are installed."""
    name = argument.partition("=")[0]
    return argument.replace("--", PREFIX, 1) if name in {f"--{short}" for short in SHORT} else argument


def run(arguments: Sequence[str]) -> NoReturn:
    """Become that command: its exit status, and signals sent to it, are those of this process."""
    path = os.pathsep.join(filter(None, [str(_PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    for stream in filter(None, (sys.stdout, sys.stderr)):  # there is none where it was closed
        stream.flush()
    argv = command(arguments)
    os.execve(argv[0], argv, {**os.environ, "PYTHONPATH": path})
