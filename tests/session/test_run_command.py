"""`dra-conformance run` and `pytest --pyargs conformance` in a project that would get in the way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.cli_run import command
from tests.session.project import REPOSITORY, Project

HOSTILE = {
    "pytest.ini": "[pytest]\naddopts = --no-such-option\n",
    "conftest.py": "raise RuntimeError('not here')\n",
    "conformance.py": "raise RuntimeError('not this one')\n",
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A project with an ini file, a conftest.py and modules of the same names."""
    for name, text in HOSTILE.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "__init__.py").write_text("")
    return tmp_path


def run(
    folder: Path, *argv: str, plugins: Path = REPOSITORY, suite: Path = REPOSITORY
) -> "subprocess.CompletedProcess[str]":
    code = "import sys; from conformance.cli_run import run; run(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *argv],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{suite}{os.pathsep}{plugins}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_project_around_it_does_not_matter(hostile: Path) -> None:
    found = run(hostile, "--driver=reference", "--collect-only", "-q")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "conformance/checks/preparation/test_one_claim.py::test_one_claim" in found.stdout


def test_the_exit_status_is_passed_on(hostile: Path) -> None:
    assert run(hostile, "--driver=no-such-driver").returncode == 4
    assert run(hostile, "--driver=reference", "-kno_such_check", "--collect-only").returncode == 5


def test_an_installed_plugin_that_owns_a_short_name_does_not_matter(hostile: Path) -> None:
    plugins = hostile / "plugins"
    plugins.mkdir()
    owner = "def pytest_addoption(parser):\n    parser.addoption('--driver', choices=['Firefox'])\n"
    (plugins / "browser.py").write_text(owner)
    arguments = ("-p", "browser", "--driver", "reference", "--check=preparation.one_claim", "--collect-only", "-q")
    found = run(hostile, *arguments, plugins=plugins)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "::test_one_claim" in found.stdout
    assert "::test_registers" not in found.stdout


def test_pyargs_works_in_a_project_with_an_ini_file_of_its_own(project: Project) -> None:
    project.file("conftest.py", "")
    project.file("test_mine.py", "def test_mine(): pass\n")
    found = project.run("--pyargs", "conformance", "--collect-only", "-q", driver="reference")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "test_one_claim" in found.stdout
    assert "test_mine" not in found.stdout


def test_what_is_run_is_the_package() -> None:
    argv = command(["-k", "x"])
    assert argv[-3] == str(REPOSITORY / "conformance")
    assert argv[-2:] == ["-k", "x"]


def test_a_python_that_lacks_a_package_of_the_suite_is_told_so(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pydantic'] = None; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    found = subprocess.run(
        [sys.executable, "-c", code, str(REPOSITORY / "conformance"), "--driver=reference", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 4
    assert "lacks the package pydantic" in found.stderr
    assert "INTERNALERROR" not in found.stdout + found.stderr


OWN = """
from conformance.check import check
from conformance.cluster import Cluster
from conformance.expect import Expect


@check(id="{id}", covers=("REG-01",), profile="vendor:acme")
def test_mine(cluster: Cluster, expect: Expect) -> None:
    \"\"\"A check of our own.\"\"\"
"""


@pytest.mark.parametrize("packages", ["elsewhere/site-packages", "project/venv/site-packages"])
def test_k_knows_the_folder_of_own_checks_wherever_the_suite_is_installed(tmp_path: Path, packages: str) -> None:
    (tmp_path / packages).mkdir(parents=True)
    (tmp_path / packages / "conformance").symlink_to(REPOSITORY / "conformance")
    own = tmp_path / "project" / "my_checks"
    own.mkdir(parents=True)
    (own / "test_model.py").write_text(OWN.format(id="acme.model"))
    arguments = ("my_checks", "--driver=reference", "-k", "my_checks or registers", "--collect-only", "-q")
    found = run(own.parent, *arguments, plugins=REPOSITORY, suite=tmp_path / packages)
    assert found.returncode == 0, found.stdout + found.stderr
    selected = [line.rpartition("/")[2] for line in found.stdout.splitlines() if "::" in line]
    assert sorted(selected) == ["test_model.py::test_mine", "test_registers.py::test_registers"]


def test_a_driver_file_among_the_checks_is_told_how_to_be_given(tmp_path: Path) -> None:
    (tmp_path / "driver.yaml").write_text("drivers: []\n")
    found = run(tmp_path, "driver.yaml")
    assert found.returncode == 4
    assert "driver.yaml is no check: a driver file is given with --driver=driver.yaml" in found.stderr


@pytest.mark.parametrize("arguments", [("--drivr=reference",), ("--drivr", "reference")])
def test_a_misspelt_option_gets_the_nearest(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    found = run(tmp_path, *arguments)
    assert found.returncode == 4
    assert "there is no option --drivr, did you mean --driver?" in found.stderr


def test_an_option_that_is_like_none_of_ours_is_refused_by_pytest(tmp_path: Path) -> None:
    found = run(tmp_path, "--zzz=1")
    assert found.returncode == 4
    assert "unrecognized arguments: --zzz=1" in found.stderr


def test_the_id_of_a_check_of_the_suite_is_refused(project: Project) -> None:
    project.file("test_mine.py", OWN.format(id="restart.recovers"))
    found = project.run("test_mine.py", "--collect-only", driver="reference")
    assert found.returncode == 4
    assert "test_mine.py: restart.recovers is the id of a check of the suite; give another id" in found.stderr
