"""The reference driver as a container image, for tests that need the Docker engine."""

import os
from pathlib import Path

import pytest

from conformance.target import Target
from tests.variants import ROOT

DRIVER_FILE = ROOT / "examples" / "driver-image.yaml"


@pytest.fixture(scope="session")
def asked_for() -> None:
    """Skips where no engine was asked for, and never where one was."""
    if os.environ.get("DRA_KIND") != "1":
        pytest.skip("tests with the Docker engine run with DRA_KIND=1, as `make test-kind` does")


@pytest.fixture(scope="session")
def driver_file(asked_for: None) -> Path:
    """The driver file, its image made."""
    Target.load(str(DRIVER_FILE)).build()
    return DRIVER_FILE
