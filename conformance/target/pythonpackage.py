"""Installing a published Python package, once, into a virtual environment that is kept in the user's cache folder."""

import hashlib
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from conformance.target.build import built_folder, cache_dir, locked
from conformance.target.gomodule import Say
from conformance.target.model import PythonSection
from conformance.verdict import Inconclusive

_LIMIT = 600.0  # seconds for pip
_OPTIONS = ("--no-input", "--disable-pip-version-check", "--retries=1", "--timeout=15", "--quiet")


def interpreter(section: PythonSection) -> Path:
    """The environment's Python: there, or there after `install`. One for each set of pins and version of Python."""
    pins = hashlib.sha256("\n".join(section.pins).encode()).hexdigest()[:8]
    name = f"{section.package}-{section.version}-python{platform.python_version()}-{pins}"
    return cache_dir() / name / "bin" / "python"


def install(section: PythonSection, say: Say) -> Path:
    """Make the environment if it is not there yet; two runs at once make it once. Raises TargetError, Inconclusive."""
    python = interpreter(section)
    folder = python.parents[1]
    if python.exists():
        return python
    with locked(folder, say):
        if not python.exists():
            started = time.monotonic()
            say(f"installing {section.package} {section.version} with pip; needed once")
            with built_folder(folder) as work:
                _make(section, work)
            say(f"installed it into {folder} in {time.monotonic() - started:.0f} s")
    return python


def _make(section: PythonSection, work: Path) -> None:
    """The environment in the folder `out`. It is used by its Python alone, so that it may be renamed."""
    out, pins = work / "out", work / "pins.txt"
    pins.write_text("".join(f"{pin}\n" for pin in section.pins), encoding="utf-8")
    _run(section, [sys.executable, "-I", "-m", "venv", str(out)])
    wanted = f"{section.package}=={section.version}"
    pip = [str(out / "bin" / "python"), "-I", "-m", "pip", "install", *_OPTIONS]
    _run(section, [*pip, f"--constraint={pins}", wanted])


def _run(section: PythonSection, command: Sequence[str]) -> None:
    wanted = f"{section.package} {section.version}"
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LIMIT)
    except subprocess.TimeoutExpired:
        raise Inconclusive(f"{wanted} could not be installed within {_LIMIT:g} s; try again") from None
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        why = said[-1].removeprefix("ERROR: ").strip() if said else f"status {done.returncode}"
        raise Inconclusive(
            f"{wanted} cannot be installed: {why}; it is needed once, so run again with a way to the package index"
        )
