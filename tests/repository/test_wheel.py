"""The wheel holds all that it needs, and works inside somebody else's project."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.catalogue import all_checks
from tests.repository.sources import PACKAGES, ROOT, files

NOT_SHIPPED = Path("fakegpu/nvml")


def command(arguments: Sequence[str | Path], folder: Path, site: Path | None = None) -> str:
    """Run a command and return what it printed; fails the test when it ends badly."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    if site:
        env["PYTHONPATH"] = str(site)
    done = subprocess.run(arguments, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the repository so that nothing is left in it."""
    source = tmp_path_factory.mktemp("source")
    for path in files():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, source / path)
    (source / "conformance-report").mkdir()
    (source / "conformance-report" / "report.json").write_text("{}", encoding="utf-8")  # a run was here before
    command([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", "."], source)
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the wheel is installed into; its dependencies come from the environment of the tests."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    command([*pip, "--target", folder, wheel], folder)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A user's project with a pytest.ini and packages of its own, called like folders of this repository."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n", encoding="utf-8")
    for name in ("reports", "kind"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("OWNER = 'the user'\n", encoding="utf-8")
    (tmp_path / "test_own.py").write_text(
        "import kind\nimport reports\n\n\ndef test_own():\n    assert kind.OWNER == reports.OWNER == 'the user'\n",
        encoding="utf-8",
    )
    return tmp_path


def test_every_file_of_the_packages_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    wanted = [path for path in files() if path.parts[0] in PACKAGES and NOT_SHIPPED not in path.parents]
    assert [str(path) for path in wanted if path.as_posix() not in inside] == []


def test_the_fake_library_is_not_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
    assert [name for name in inside if name.startswith(f"{NOT_SHIPPED}/") or "libnvidia" in name] == []


def test_assets_are_data_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    wanted = {f"conformance/assets/{path.as_posix()}" for path in files() if path.parts[0] == "kind"}
    assert wanted
    assert wanted - inside == set()


def test_nothing_else_can_be_imported_from_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.partition("/")[0] for name in archive.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == set(PACKAGES)


def test_its_command_lists_every_check(site: Path, project: Path) -> None:
    printed = command([site / "bin" / "dra-conformance", "list"], project, site)
    assert [line.split()[0] for line in printed.splitlines()] == list(all_checks())


def test_pytest_finds_its_checks_in_a_project_of_the_user(site: Path, project: Path) -> None:
    arguments = [sys.executable, "-m", "pytest", "--pyargs", "conformance", "--collect-only", "-q"]
    printed = command(arguments, project, site)
    collected = [line for line in printed.splitlines() if "::" in line]
    assert len(collected) == len(all_checks())


def test_the_users_own_tests_run_with_it_installed(site: Path, project: Path) -> None:
    printed = command([sys.executable, "-m", "pytest", "-q", "test_own.py"], project, site)
    assert "1 passed" in printed
    assert not (project / "conformance-report").exists()
