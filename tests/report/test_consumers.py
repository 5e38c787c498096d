"""Formats of a report as those read them who they are for: published schemas, libraries and programs."""

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import jsonschema
import junitparser
import pytest
import xmlschema

from conformance.report import Report
from conformance.report.ctrf import ctrf
from conformance.report.junit import junit
from conformance.report.sarif import sarif
from tests.fetched import Missing
from tests.report import consumers, samples

SAMPLES = [
    samples.good,
    samples.bad,
    samples.blocked,
    samples.interrupted,
    samples.empty,
    samples.hostile,
    samples.long,
]
every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.__name__)
Sample = Callable[[], Report]

# What CTRF's own package says of a document, as its users ask it.
VALIDATE = """
import { readFileSync } from "node:fs";
import { validate, calculateSummary } from "ctrf";
const report = JSON.parse(readFileSync(0, "utf-8"));
const { valid, errors } = validate(report);
const { tests, passed, failed, skipped } = calculateSummary(report.results.tests);
console.log(JSON.stringify({ valid, errors, counted: { tests, passed, failed, skipped } }));
"""


def fetched(fetch: Callable[[], Path], cannot_build: Callable[[str], NoReturn]) -> Path:
    try:
        return fetch()
    except Missing as error:
        return cannot_build(str(error))


@pytest.fixture(scope="module")
def junit_schema(cannot_build: Callable[[str], NoReturn]) -> xmlschema.XMLSchema10:
    return xmlschema.XMLSchema10(str(fetched(consumers.junit_schema, cannot_build)))


@pytest.fixture(scope="module")
def ctrf_package(cannot_build: Callable[[str], NoReturn]) -> Path:
    return fetched(consumers.ctrf, cannot_build)


@pytest.fixture(scope="module")
def sarif_schema(cannot_build: Callable[[str], NoReturn]) -> Any:
    return json.loads(fetched(consumers.sarif_schema, cannot_build).read_text())


@every_sample
def test_junit_fits_the_schema_of_jenkins(sample: Sample, junit_schema: xmlschema.XMLSchema10) -> None:
    junit_schema.validate(junit(sample()))


def test_that_schema_refuses_what_it_does_not_know(junit_schema: xmlschema.XMLSchema10) -> None:
    """So that the test above can fail."""
    with_properties = junit(samples.good()).replace("</testcase>", "<properties/></testcase>", 1)
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        junit_schema.validate(with_properties)


def test_junit_as_a_library_reads_it() -> None:
    [suite] = junitparser.JUnitXml.fromstring(junit(samples.bad()).encode())
    seen = {case.name: [type(result).__name__ for result in case.result] for case in suite}
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (12, 1, 1, 4)
    assert seen["preparation.repeat_same_devices"] == ["Failure"]
    assert seen["unpreparing.after_reboot"] == ["Error"]
    assert seen["preparation.after_repeat"] == seen["upgrade.two_instances"] == ["Skipped"]
    assert seen["registration.newest_first"] == []


@every_sample
def test_ctrf_is_valid_for_its_own_package(sample: Sample, ctrf_package: Path, tmp_path: Path) -> None:
    document = ctrf(sample())
    (tmp_path / "node_modules").symlink_to(ctrf_package.parent)
    (tmp_path / "validate.mjs").write_text(VALIDATE)
    done = subprocess.run(
        ["node", "validate.mjs"], cwd=tmp_path, input=document, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(document)["results"]["summary"]
    assert json.loads(done.stdout) == {
        "valid": True,
        "errors": [],
        "counted": {name: summary[name] for name in ("tests", "passed", "failed", "skipped")},
    }


@every_sample
def test_ctrf_fits_its_schema(sample: Sample, ctrf_package: Path) -> None:
    schema = json.loads((ctrf_package / "dist" / "ctrf-schema-0.0.json").read_text())
    checker = jsonschema.Draft7Validator.FORMAT_CHECKER
    jsonschema.Draft7Validator(schema, format_checker=checker).validate(json.loads(ctrf(sample())))


def test_ctrf_has_every_verdict_where_it_never_looks_better() -> None:
    tests = json.loads(ctrf(samples.bad()))["results"]["tests"]
    seen = {test["rawStatus"]: test["status"] for test in tests}
    assert seen == {
        "PASS": "passed",
        "INFO": "passed",
        "WARN": "passed",
        "WAIVED": "skipped",
        "FAIL": "failed",
        "INCONCLUSIVE": "failed",
        "NOT_APPLICABLE": "skipped",
        "BLOCKED": "skipped",
        "NOT_RUN": "skipped",
    }
    assert Counter(test["testId"] for test in tests).most_common(1)[0][1] == 1


@every_sample
def test_sarif_fits_its_schema(sample: Sample, sarif_schema: Any) -> None:
    jsonschema.Draft7Validator(sarif_schema).validate(json.loads(sarif(sample())))


def test_sarif_has_a_result_for_each_broken_obligation_and_a_link_to_its_source() -> None:
    [run] = json.loads(sarif(samples.bad()))["runs"]
    found = {row["ruleId"]: (row["level"], row["properties"]["verdict"]) for row in run["results"]}
    assert found == {
        "PREP-05": ("error", "FAIL"),
        "REG-09": ("warning", "WARN"),
        "SEC-03": ("note", "INFO"),
        "PUB-04": ("error", "WAIVED"),
        "unpreparing.after_reboot": ("error", "INCONCLUSIVE"),
    }
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["PREP-08"]["helpUri"] == "https://github.com/kubernetes/enhancements/issues/4381"
    assert [row["ruleId"] for row in run["results"] if row["suppressions"]] == ["PUB-04"]
    [result] = [row for row in run["results"] if row["ruleId"] == "PREP-05"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "PREP-05"
