"""What the repository as a whole keeps to."""

import os
import re
import tomllib
from pathlib import Path

from tests.repository.sources import PACKAGES, ROOT, code, files

LONGEST = 400
CATALOGUES = {"advice.yaml", "requirements.yaml", "requirements.lock", "LICENSE"}


def lines(path: Path) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()


def test_assets_are_no_packages() -> None:
    """`kind` or `reports` as a package would shadow that of a user's project; test_wheel.py guards the wheel itself."""
    assert [path for path in files() if path.name == "__init__.py" and path.parts[0] not in (*PACKAGES, "tests")] == []


def test_every_module_is_in_a_package() -> None:
    """A folder without __init__.py is left out of the wheel."""
    folders = {path.parent for path in files() if path.suffix in (".py", ".yaml") and path.parts[0] in PACKAGES}
    drivers, deploy = Path("conformance/drivers"), Path("reference_driver/deploy")
    data = {drivers, drivers / "manifests", *(deploy / name for name in ("manifests", "chart", "chart/templates"))}
    assert [str(f) for f in sorted(folders - data) if not (ROOT / f / "__init__.py").is_file()] == []


def test_no_file_is_long() -> None:
    texts = [*code(*PACKAGES, "tests", "proto"), *(path for path in files() if path.suffix in (".md", ".yaml", ".j2"))]
    long = {str(path): len(lines(path)) for path in texts if path.name not in CATALOGUES and len(lines(path)) > LONGEST}
    assert long == {}


def test_set_up_takes_packages_from_wherever_the_machine_is_set_up_to() -> None:
    """No address of a package index in what installs things: mirrors and offline machines work."""
    for name in ("requirements.lock", "Makefile", ".ci/run", "pyproject.toml"):
        assert [
            line for line in lines(Path(name)) if "://" in line or re.match(r"--(index|extra|find|trusted)", line)
        ] == []


def test_no_path_of_a_certain_machine() -> None:
    place = re.compile(r"(?<![\w>})\]*.])/(?:work|root|tmp/w)/")
    texts = [path for path in files() if path.suffix in (".py", ".md", ".yaml", ".toml", ".j2", ".json", "")]
    assert [f"{path}: {line}" for path in texts for line in lines(path) if place.search(line)] == []


def test_continuous_integration_can_start_its_script() -> None:
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_lock_holds_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [
        *project["dependencies"],
        *(row for part in ("dev", "docs") for row in project["optional-dependencies"][part]),
    ]
    names = {re.split(r"[^A-Za-z0-9._-]", entry)[0].lower().replace("_", "-") for entry in asked}
    locked = {line.split("==")[0] for line in lines(Path("requirements.lock")) if "==" in line}
    assert names - locked == set()
