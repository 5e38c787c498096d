"""What reads the formats of a report in the world, for tests: programs and schemas as they are published.

They are fetched once, by npm and pip, and kept beside what the suite builds. What cannot be had is `Missing`.
"""

import sys
import tarfile
from pathlib import Path

from tests.fetched import kept, npm, run

ALLURE = "allure@3.18.0"
CTRF = "ctrf@0.3.0"
SARIF = "@microsoft/jest-sarif@1.0.0-beta.0"
XUNIT = "pytest==9.0.2"
"""Its source distribution holds the schema by which the xUnit plugin of Jenkins accepts JUnit files."""
_XUNIT_FILE = "testing/example_scripts/junit-10.xsd"


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
    folder = kept(XUNIT, _xunit)
    return folder / "junit-10.xsd"


def _xunit(folder: Path) -> None:
    got = folder / "sdist"
    # Not built: only its metadata is made, with packages that are.
    source = ["--no-deps", "--no-binary=pytest", f"--dest={got}", XUNIT]
    run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *source])
    with tarfile.open(next(got.glob("*.tar.gz"))) as archive:
        name = next(name for name in archive.getnames() if name.endswith(_XUNIT_FILE))
        file = archive.extractfile(name)
        assert file is not None
        (folder / "junit-10.xsd").write_bytes(file.read())


def fetch_all() -> None:
    """Fetch all of them before the tests, so that none of these waits. Raises Missing."""
    for fetch in (allure, ctrf, sarif_schema, junit_schema):
        fetch()
