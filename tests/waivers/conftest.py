"""Runs with waivers, each made once."""

import pytest

from tests.session.project import Project
from tests.waivers.files import MENDED, PAST, QUIET, REPEAT, run


@pytest.fixture(scope="session")
def waived_run(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Everything that is broken is waived."""
    return run(tmp_path_factory.mktemp("waived") / "a", REPEAT, QUIET)


@pytest.fixture(scope="session")
def mended_run(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The MUST that is waived is not broken any more; the SHOULD is."""
    return run(tmp_path_factory.mktemp("mended") / "a", REPEAT, QUIET, suite=MENDED)


@pytest.fixture(scope="session")
def useless_run(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One waiver has expired, one is of a check that is blocked, one is of something else that was observed."""
    expired = {**REPEAT, "expires": PAST}
    blocked = {**REPEAT, "check": "preparation.after_repeat", "requirement": "PREP-02", "expected": "*"}
    return run(tmp_path_factory.mktemp("useless") / "a", expired, blocked, {**QUIET, "observed": ["7"]}, status=1)
