"""Runs as the suite leaves them, on a cluster in memory, and what somebody may do to their reports afterwards."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.report.footer import file_digest, report_digest
from tests.session.project import Project

GOOD = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").equal("", "", "a socket appears")

@check(id="preparation.one_claim", covers=["PREP-01"], needs=["registration.registers"])
def test_one_claim(expect, driver):
    "A claim is prepared."
    expect("PREP-01").true(True, "the answer has one entry")
"""
BAD = """
@check(id="preparation.repeat", covers=["PREP-05"])
def test_repeat(expect, driver):
    "It can be repeated."
    expect("PREP-05").equal("busy", "", "a repeated Prepare succeeds")
"""
OTHERS = """
@check(id="publishing.quiet", covers=["RS-01", "RS-11"])
def test_quiet(expect, driver):
    "A SHOULD is broken."
    expect("RS-01").true(True, "it holds")
    expect("RS-11").equal(3, 1, "it is quiet")

@check(id="preparation.after_repeat", covers=["PREP-02"], needs=["preparation.repeat"])
def test_after_repeat(expect, driver):
    "It needs one that is broken."

@check(id="preparation.parts", covers=["PREP-02"], features=["partitionable"])
def test_parts(expect, driver):
    "It needs a feature."

@check(id="preparation.hooks", covers=["PREP-02"], hooks=["sicken_device"])
def test_hooks(expect, driver):
    "It needs a hook."

@check(id="preparation.unjudged", covers=["PREP-01", "PREP-02"])
def test_unjudged(expect, driver):
    "One obligation is never judged."
    expect("PREP-01").true(True, "it holds")

@check(id="preparation.harness", covers=["PREP-02"])
def test_harness(expect, driver):
    "The harness has a bug."
    expect("PREP-02").true(True, "it holds")
    raise KeyError("harness")

@check(id="preparation.ours", covers=["PREP-02"])
def test_ours(expect, driver):
    "A cluster of ours fails meanwhile."
    driver.history.record("error", where="GET /api", trace="Traceback")
    expect("PREP-02").true(False, "it holds")

@pytest.fixture
def messy():
    yield
    raise OSError("cannot clean up")

@check(id="preparation.messy", covers=["PREP-02"])
def test_messy(expect, driver, messy):
    "Cleaning up fails."
    expect("PREP-02").true(True, "it holds")

@check(id="preparation.caught", covers=["PREP-03"])
def test_caught(expect, driver):
    "A check that swallows what it has found."
    try:
        expect("PREP-03").true(False, "it holds")
    except AssertionError:
        pass

@pytest.mark.parametrize("size", [1, 2])
@check(id="preparation.sizes", covers=["PREP-04"])
def test_sizes(expect, driver, size):
    "One of two cases breaks a SHOULD."
    expect("PREP-04").equal(size, 1, "it has one")
"""
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="session")
def good_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report's folder of a run in which all is well."""
    return run(tmp_path_factory.mktemp("good"), GOOD, status=0)


@pytest.fixture(scope="session")
def part_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of one that says to be a part, so that it is sound beside the whole suite, too."""
    return run(tmp_path_factory.mktemp("part"), GOOD + BAD, "-k", "registers or one_claim", status=0)


@pytest.fixture(scope="session")
def bad_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of one with a broken MUST and checks of every other verdict."""
    return run(tmp_path_factory.mktemp("bad"), GOOD + BAD + OTHERS, status=1)


def run(folder: Path, suite: str, *arguments: str, status: int, **environment: str) -> Path:
    """Run a suite to its end; returns the report's folder."""
    project = Project(folder)
    project.suite(suite)
    project.env = environment
    driver = folder / "fake.yaml"
    driver.write_text(f"{driver.read_text()}limits: {{ready: 0.2}}\n")
    ended = project.run(*arguments)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return project.report_dir


def copied(run: Path, to: Path) -> Path:
    """A copy of a report's folder, to be changed."""
    return Path(shutil.copytree(run, to / "copy"))


def edit(folder: Path, change: Change, *, seal: bool = True) -> Path:
    """Change report.json by hand; with `seal` its footer is made anew, as somebody would who knows how."""
    file = folder / "report.json"
    value = json.loads(file.read_text())
    change(value)
    if seal:
        given = {"report": report_digest(value), "history": file_digest(folder / "history.jsonl")}
        value["footer"] |= {**given, "run": len(value["checks"]), "outcome": value["outcome"]}
    file.write_text(json.dumps(value))
    return folder


def result(value: dict[str, Any], id: str) -> dict[str, Any]:
    """A check in the JSON of a report."""
    return next(row for row in value["checks"] if row["id"] == id)
