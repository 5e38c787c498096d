"""`--alluredir` writes results that carry what the suite knows."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.fetched import Missing
from tests.report import consumers
from tests.session.project import Project

SUITE = """
@check(id="preparation.bad", covers=["PREP-05"])
def test_bad(expect, driver):
    "It is broken."
    expect("PREP-05").equal("</script>\\x1b[2J]]>", "", "it holds")

@check(id="preparation.warns", covers=["RS-11"])
def test_warns(expect, driver):
    "A SHOULD is broken."
    expect("RS-11").equal(3, 1, "it is quiet")

@check(id="preparation.unjudged", covers=["PREP-01"])
def test_unjudged(expect, driver):
    "It judges nothing."

@check(id="preparation.many", covers=["PREP-01"], claims=99)
def test_many(expect, driver):
    "It needs more than there is."
"""
CUT_SHORT = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").true(True, "it does")

@check(id="preparation.interrupted", covers=["PREP-01"])
def test_interrupted(expect, driver):
    "The run ends here."
    raise KeyboardInterrupt
"""


def test_results_are_labelled(project: Project) -> None:
    project.suite("""
        @check(id="preparation.bad", covers=["PREP-05", "PREP-06"])
        def test_bad(expect, driver):
            "A repeated Prepare gives the same devices."
            expect("PREP-05").equal(1, 2, "it holds")

        @check(id="preparation.many", covers=["PREP-01"], claims=99)
        def test_many(expect, driver):
            "Many claims."
    """)
    run = project.run("--alluredir=allure")
    assert run.returncode == 1, run.stdout + run.stderr
    results = {}
    for path in (project.folder / "allure").glob("*-result.json"):
        result = json.loads(path.read_text())
        labels = {(label["name"], label["value"]) for label in result["labels"]}
        results[dict(labels)["check"]] = (result, labels)
    bad, labels = results["preparation.bad"]
    assert bad["name"] == "A repeated Prepare gives the same devices."
    assert bad["status"] == "failed"
    assert {("requirement", "PREP-05"), ("requirement", "PREP-06"), ("profile", "core"), ("verdict", "FAIL")} <= labels
    assert {("epic", "core"), ("feature", "preparation"), ("story", "PREP-05"), ("severity", "critical")} <= labels
    source = "https://github.com/kubernetes/enhancements/issues/4381"
    assert {"type": "link", "url": source, "name": "PREP-05: KEP-4381 README:2283-2285"} in bad["links"]
    many, labels = results["preparation.many"]
    assert many["status"] == "skipped"
    assert ("verdict", "NOT_APPLICABLE") in labels


@pytest.fixture(scope="module")
def allure(cannot_build: Callable[[str], NoReturn]) -> Path:
    """The command, of which npm has the third version."""
    try:
        return consumers.allure()
    except Missing as error:
        return cannot_build(str(error))


def generated(allure: Path, project: Project) -> dict[str, dict[str, Any]]:
    """The results that `allure generate` has made of those of a run, by name."""
    command = [str(allure), "generate", "allure", "--output=page"]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [json.loads(path.read_text()) for path in (project.folder / "page").glob("**/data/test-results/*.json")]
    return {result["name"]: result for result in found}


def test_allure_reads_each_verdict(project: Project, allure: Path) -> None:
    project.suite(SUITE)
    assert project.run("--alluredir=allure").returncode == 1
    results = generated(allure, project)
    assert {name: result["status"] for name, result in results.items()} == {
        "It is broken.": "failed",
        "A SHOULD is broken.": "passed",
        "It judges nothing.": "broken",
        "It needs more than there is.": "skipped",
    }
    labels = {(label["name"], label["value"]) for label in results["It is broken."]["labels"]}
    assert {("epic", "core"), ("feature", "preparation"), ("story", "PREP-05")} <= labels
    assert results["It is broken."]["links"][0]["url"].startswith("https://github.com/kubernetes/")


def test_allure_shows_that_a_run_was_cut_short(project: Project, allure: Path) -> None:
    project.suite(CUT_SHORT)
    assert project.run("--alluredir=allure").returncode == 2
    run = generated(allure, project)["The run"]
    assert run["status"] == "broken"
    assert run["error"]["message"].startswith("Interrupted after 1 check: ")
