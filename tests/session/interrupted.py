"""A run that is interrupted in the middle, and what its report's folder holds then."""

from pathlib import Path

from tests.session.project import Project

SUITE = """
import os
from pathlib import Path

@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").true(True, "it does")

@check(id="preparation.one_claim", covers=["PREP-01"])
def test_one_claim(expect, driver):
    "The first time it is interrupted."
    if not Path("again").exists():
        Path("again").touch()
        raise KeyboardInterrupt
    expect("PREP-01").true(True, "the answer has one entry")
"""


def interrupted(project: Project) -> Project:
    """The project, with such a run."""
    project.suite(SUITE)
    assert project.run("--conformance-seed=7").returncode == 2
    return project


def content(folder: Path) -> dict[str, bytes]:
    """All that a folder holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
