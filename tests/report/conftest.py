"""The folder of a real run for tests of the page."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.mutants.mutant import all_mutants
from tests.variants import judge

REFUSES_REPETITION = "B023"
CHECKS = ("preparation.one_claim", "preparation.repeat_same_devices", "restart.recovers", "unpreparing.unknown_claim")


@pytest.fixture(scope="session")
def real_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report's folder of four checks of a driver that refuses what it has prepared, made once for all workers."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "real"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "report").exists():
            mutant = next(mutant for mutant in all_mutants() if mutant.name == REFUSES_REPETITION)
            judge(mutant.write_driver_file(folder), folder / "report", *(f"--check={name}" for name in CHECKS))
    return folder / "report"
