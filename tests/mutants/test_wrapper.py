"""With a wrapper around it that does nothing, a driver has the verdicts that it has without."""

from pathlib import Path

import pytest

from tests.mutants.wrapper import write_wrapped
from tests.variants import run

# `kubernetes-test-driver` takes a minute for each of the two runs.
DRIVERS = ("reference", "kubernetes-test-driver")


@pytest.mark.parametrize("driver", DRIVERS)
def test_nothing_is_wrong_with_the_wrapper(driver: str, tmp_path: Path) -> None:
    bare, wrapped = tmp_path / "bare", tmp_path / "wrapped"
    for folder in (bare, wrapped):
        folder.mkdir()
    assert run(write_wrapped(wrapped, driver), wrapped / "report") == run(driver, bare / "report")
