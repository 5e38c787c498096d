"""The last line that a run prints is what it says, whatever pytest itself sums up."""

import pytest

from conformance.report import headline
from tests.session.project import Project, project

__all__ = ["project"]
BROKEN = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").true(True, "it does")

@check(id="preparation.repeat", covers=["PREP-05"])
def test_repeat(expect, driver):
    "It can be repeated."
    import warnings
    warnings.warn("of some plugin")
    expect("PREP-05").equal("busy", "", "a repeated Prepare succeeds")
"""


@pytest.mark.parametrize("options", ["", "-q", "-n2 -q", "-rA --durations=3 -x"])
def test_the_last_line_is_what_the_run_says(options: str, project: Project) -> None:
    project.suite(BROKEN)
    ended = project.run_apart(*options.split())
    assert ended.returncode == 1, ended.stderr
    below = ended.stdout.rstrip("\n").partition(" DRA conformance ")[2]
    assert " ".join(below.split()).endswith(headline(project.report()))
    assert "short test summary info" not in below
    assert "1 failed" not in below.partition("check")[0]


def test_annotations_of_github_come_after_it_where_no_reader_looks(project: Project) -> None:
    project.suite(BROKEN)
    project.env["GITHUB_ACTIONS"] = "true"
    last = project.run_apart().stdout.splitlines()[-1]
    assert last.startswith("::error file=fake.yaml,title=FAIL preparation.repeat::")


def test_without_a_summary_there_is_none(project: Project) -> None:
    project.suite(BROKEN)
    assert "DRA conformance" not in project.run_apart("--no-summary").stdout
