"""Submissions to look at: real runs, those of a suite of a few lines, and a suite that takes them for its own."""

import fcntl
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.identity import catalogue_digest, suite_digest
from conformance.index.adding import add
from conformance.index.checking import check
from conformance.index.entry import Entry
from conformance.index.metadata import Metadata
from conformance.index.site import write
from conformance.report.verify import Suite
from conformance.requirement import catalogue
from tests.report.conftest import CHECKS, real_run
from tests.report.recorded import bad_run, good_run
from tests.variants import judge

__all__ = ["bad_run", "good_run", "real_run"]

SUITE = Suite(suite_digest(), catalogue_digest(), dict, catalogue())
"""This suite, without a list of its checks: runs of a few of them are whole ones."""
WHO = Metadata("Example Ltd", "make conformance", "https://example.com/driver", "1.2.0")
Submit = Callable[[Path], Entry]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """The folder of an index that is empty."""
    folder = tmp_path / "index"
    (folder / "submissions").mkdir(parents=True)
    return folder


@pytest.fixture
def submit(index: Path) -> Submit:
    """Adds a run to the index."""
    return lambda run: add(run, index, WHO, SUITE)


@pytest.fixture(scope="session")
def site(real_run: Path, good_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site, made once for all workers: of two real runs, and of one that is conformant."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "index"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "site").exists():
            judge("reference", folder / "reference", *(f"--check={name}" for name in CHECKS[:2]))
            runs = {"0.1": folder / "reference", "0.2": real_run, "1": good_run}
            for version, run in runs.items():
                who = replace(WHO, organisation=f"Example {version}", version=version)
                add(run, folder / "index", who, SUITE)
            checked = check(folder / "index", SUITE)
            assert checked.problems == []
            write(checked.entries, folder / "index", folder / "site")
    return folder / "site"
