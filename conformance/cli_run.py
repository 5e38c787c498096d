"""`dra-conformance run`: pytest on the suite; ini files, conftest.py and packages around it change nothing."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

_PACKAGE = Path(__file__).parent


def command(arguments: Sequence[str]) -> list[str]:
    """The command that runs the suite; `arguments` are options of pytest and of the suite, or paths of more checks."""
    return [
        sys.executable,
        "-P",  # the folder that it is started in is no place to import from
        "-m",
        "pytest",
        f"--config-file={_PACKAGE / 'session' / 'run.ini'}",
        f"--rootdir={_PACKAGE.parent}",
        f"--confcutdir={_PACKAGE.parent}",
        str(_PACKAGE),
        *arguments,
    ]


def run(arguments: Sequence[str]) -> NoReturn:
    """Become that command: its exit status, and signals sent to it, are those of this process."""
    path = os.pathsep.join(filter(None, [str(_PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    sys.stdout.flush()
    sys.stderr.flush()
    argv = command(arguments)
    os.execve(argv[0], argv, {**os.environ, "PYTHONPATH": path})
