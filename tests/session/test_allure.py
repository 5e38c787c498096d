"""`--alluredir` writes results that carry what the suite knows."""

import json

from tests.session.project import Project


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
    assert ("feature", "preparation") in labels
    many, labels = results["preparation.many"]
    assert many["status"] == "skipped"
    assert ("verdict", "NOT_APPLICABLE") in labels
