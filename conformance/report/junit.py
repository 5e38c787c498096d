"""junit.xml: what CI systems read. docs/verdicts.md has the table of verdicts and their JUnit forms."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from conformance.report.model import CheckResult, Report
from conformance.report.obligations import headline
from conformance.report.text import visible
from conformance.report.whole import RED, RUN, SILENT, first_line, name_of, told, trouble
from conformance.verdict import Verdict


def junit(report: Report) -> str:
    """The report as JUnit XML, one test case a check.

    A run that says nothing, was cut short or is incomplete gets a test case of its own with an error, so that a
    reader that only counts never sees such a run as passed.
    """
    cases = [_case(result) for result in report.checks]
    wrong = trouble(report)
    if wrong:
        cases.append(_run_case(report, wrong))
    sums: dict[str, str] = {
        "tests": str(len(cases)),
        "failures": str(_having(cases, "failure")),
        "errors": str(_having(cases, "error")),
        "time": _seconds((report.finished or report.started) - report.started),
    }
    suite = ET.Element("testsuite", {"name": "dra-conformance", **sums, "skipped": str(_having(cases, "skipped"))})
    suite.set("timestamp", datetime.fromtimestamp(report.started, UTC).strftime("%Y-%m-%dT%H:%M:%S"))
    _add_properties(suite, _facts(report))
    suite.extend(cases)
    root = ET.Element("testsuites", {"name": "DRA conformance", **sums})
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(result: CheckResult) -> ET.Element:
    case = ET.Element("testcase", classname=f"dra.{visible(result.area)}", name=name_of(result))
    case.set("time", _seconds(result.seconds))
    message = first_line(result)
    if result.verdict is Verdict.FAIL:
        ET.SubElement(case, "failure", type="Broken", message=message).text = told(result)
    elif result.verdict is Verdict.INCONCLUSIVE:
        ET.SubElement(case, "error", type="Inconclusive", message=message).text = told(result)
    elif result.verdict in SILENT:
        ET.SubElement(case, "skipped", type=result.verdict.value, message=message)
    ET.SubElement(case, "system-out").text = _output(result)
    return case


def _run_case(report: Report, wrong: str) -> ET.Element:
    case = ET.Element("testcase", classname=f"dra.{RUN}", name=RUN, time="0.000")
    ET.SubElement(case, "error", type=report.outcome.value, message=wrong).text = wrong
    return case


def _output(result: CheckResult) -> str:
    """What JUnit has no place for: its schema knows properties of a suite, and none of a test case."""
    facts = {"verdict": result.verdict.value, "title": result.title, "covers": " ".join(result.covers)}
    if result.reproduce:
        facts["reproduce"] = result.reproduce
    lines = [f"{name}: {visible(value)}" for name, value in facts.items()]
    text = "\n".join([*lines, "" if result.verdict in RED else told(result)]).strip()
    return text.replace("[[ATTACHMENT|", "[ [ATTACHMENT|")  # GitLab makes links of these


def _facts(report: Report) -> dict[str, str]:
    cluster = {f"cluster.{key}": value for key, value in report.cluster.items() if isinstance(value, str | int)}
    return {
        "driver": report.driver.name,
        "outcome": report.outcome.value,
        "headline": headline(report),
        "exit_status": "" if report.exit_status is None else str(report.exit_status),
        "profiles": " ".join(report.profiles),
        "tier": report.tier,
        "suite": report.suite.version,
        **{key: str(value) for key, value in cluster.items()},
    }


def _add_properties(parent: ET.Element, facts: dict[str, str]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in facts.items():
        ET.SubElement(properties, "property", name=visible(name), value=visible(value))


def _having(cases: list[ET.Element], tag: str) -> int:
    return sum(case.find(tag) is not None for case in cases)


def _seconds(value: float) -> str:
    return f"{max(value, 0):.3f}"
