"""What reads the formats of a report in the world, for tests: programs and schemas as they are published.

They are fetched once, by npm and pip, and kept beside what the suite builds. What cannot be had is `Missing`.
"""

import fcntl
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from conformance.target.build import cache_dir

ALLURE = "allure@3.18.0"
CTRF = "ctrf@0.3.0"
SARIF = "@microsoft/jest-sarif@1.0.0-beta.0"
XUNIT = "pytest==9.0.2"
"""Its source distribution holds the schema by which the xUnit plugin of Jenkins accepts JUnit files."""
_XUNIT_FILE = "testing/example_scripts/junit-10.xsd"
_PATIENCE = 300


class Missing(Exception):
    """It cannot be had here; the text says why."""


def allure() -> Path:
    """The command `allure`."""
    return npm(ALLURE) / ".bin" / "allure"


def ctrf() -> Path:
    """CTRF's reference implementation, a package for node, with its schema."""
    return npm(CTRF) / "ctrf"


def sarif_schema() -> Path:
    """The JSON schema of SARIF 2.1.0."""
    return npm(SARIF) / "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"


def junit_schema() -> Path:
    """The XML schema of JUnit files that the xUnit plugin of Jenkins has."""
    folder = _kept(XUNIT, _xunit)
    return folder / "junit-10.xsd"


def npm(package: str) -> Path:
    """The folder node_modules with one package in it."""
    node = shutil.which("npm")
    if node is None:
        raise Missing("npm is not on PATH; on Debian: apt install npm")
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    folder = _kept(package, lambda into: _run([node, "install", "--prefix", str(into), *quiet, package]))
    return folder / "node_modules"


def _xunit(folder: Path) -> None:
    got = folder / "sdist"
    # Not built: only its metadata is made, with packages that are.
    source = ["--no-deps", "--no-binary=pytest", f"--dest={got}", XUNIT]
    _run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *source])
    with tarfile.open(next(got.glob("*.tar.gz"))) as archive:
        name = next(name for name in archive.getnames() if name.endswith(_XUNIT_FILE))
        file = archive.extractfile(name)
        assert file is not None
        (folder / "junit-10.xsd").write_bytes(file.read())


def _kept(name: str, fetch: Callable[[Path], None]) -> Path:
    folder = cache_dir() / "consumers" / name.replace("/", "_")
    with _locked(folder):
        if not folder.exists():
            draft = folder.with_name(f"{folder.name}.new")
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
            fetch(draft)
            draft.rename(folder)
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Several workers may want it at once."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    if done.returncode:
        raise Missing(f"{' '.join(command[:4])} … failed: {done.stderr.strip()[-500:]}")


def fetch_all() -> None:
    """Fetch all of them before the tests, so that none of these waits. Raises Missing."""
    for fetch in (allure, ctrf, sarif_schema, junit_schema):
        fetch()
