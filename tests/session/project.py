"""A tiny project with checks of its own, run by pytest in a process of its own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from conformance.report.model import CheckResult, Report
from conformance.session import collection

Ended = subprocess.CompletedProcess[str]
REPOSITORY = Path(__file__).parents[2]

# What a run inside another run must not touch, and what only costs time.
_LIMIT = 300.0  # seconds for one run: on a slow machine that has other work, too
_IN_PROCESS = ("-p", "no:faulthandler", "-p", "no:unraisableexception", "--capture=sys")
_CONFTEST = """
from pathlib import Path

import pytest

from conformance.session import collection
from tests.session.fakes import FakeBackend

collection.SUITE = Path(__file__).parent / "suite"


@pytest.hookimpl(tryfirst=True)
def pytest_dra_backend(run_dir, history):
    return FakeBackend(run_dir, history)
"""

_DRIVER = """
drivers:
  - name: fake.example.com
process:
  command: ["true"]
"""

_HEADER = """
import pytest
from conformance.check import Tier, check
from conformance.verdict import *

"""


class Project:
    """A folder with a suite of checks and a driver file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.report_dir = folder / "conformance-report"
        self.env: dict[str, str] = {}
        (folder / "suite").mkdir()
        (folder / "conftest.py").write_text(_CONFTEST)
        (folder / "fake.yaml").write_text(_DRIVER)
        (folder / "pytest.ini").write_text("[pytest]\naddopts = -p conformance.plugin -p no:cacheprovider\n")

    def suite(self, text: str, name: str = "test_suite.py") -> None:
        """Write a file of the suite; imports of checks are there already."""
        (self.folder / "suite" / name).write_text(_HEADER + dedent(text))

    def file(self, name: str, text: str) -> None:
        """Write another file."""
        (self.folder / name).write_text(dedent(text))

    def command(self, *arguments: str, driver: str | None = "fake.yaml") -> list[str]:
        """The command line of pytest."""
        given = [f"--driver={driver}"] if driver else []
        return [sys.executable, "-m", "pytest", *given, *arguments]

    def environment(self) -> dict[str, str]:
        """The environment to run it in."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COVERAGE"))}
        return {**kept, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1", **self.env}

    def run(self, *arguments: str, driver: str | None = "fake.yaml") -> Ended:
        """Run pytest to its end, in this process, as that is faster."""
        stdout, stderr = io.StringIO(), io.StringIO()
        argv = self.command(*_IN_PROCESS, *arguments, driver=driver)[3:]
        with _as_in_a_new_process(self), redirect_stdout(stdout), redirect_stderr(stderr):
            status = pytest.main(argv)
        return Ended(argv, int(status), stdout.getvalue(), stderr.getvalue())

    def run_apart(self, *arguments: str, driver: str | None = "fake.yaml") -> Ended:
        """Run pytest in a process of its own."""
        return subprocess.run(
            self.command(*arguments, driver=driver),
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=_LIMIT,
            check=False,
        )

    def report(self) -> Report:
        """The report of the last run."""
        return Report.model_validate_json((self.report_dir / "report.json").read_text())

    def result(self, id: str) -> CheckResult:
        """One check's result in it."""
        return next(result for result in self.report().checks if result.id == id)

    def history(self, kind: str) -> list[dict[str, Any]]:
        """Events of one kind."""
        rows = map(json.loads, (self.report_dir / "history.jsonl").read_text().splitlines())
        return [row for row in rows if row["kind"] == kind]


@contextmanager
def _as_in_a_new_process(project: Project) -> Iterator[None]:
    """Working folder, environment, paths and modules are afterwards what they were before."""
    known, suite = set(sys.modules), collection.SUITE
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "unraisablehook", sys.unraisablehook)
        patch.chdir(project.folder)
        patch.syspath_prepend(project.folder)
        for name in [name for name in os.environ if name.startswith("PYTEST_")]:
            patch.delenv(name)
        for name, value in project.environment().items():
            patch.setenv(name, value)
        try:
            yield
        finally:
            collection.SUITE = suite
            for name in set(sys.modules) - known:
                file = getattr(sys.modules[name], "__file__", None)
                if file and Path(file).is_relative_to(project.folder):
                    del sys.modules[name]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return Project(tmp_path)
