"""junit.xml: what CI systems read. docs/verdicts.md has the table of verdicts and their JUnit forms."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from conformance.report.conclusion import GOOD
from conformance.report.model import CheckResult, FindingRecord, Outcome, Report
from conformance.report.obligations import headline
from conformance.report.text import shown, visible
from conformance.verdict import Verdict

SKIPPED = (Verdict.NOT_APPLICABLE, Verdict.BLOCKED, Verdict.NOT_RUN, Verdict.WAIVED)
NOT_ALL_RAN = (Outcome.INTERRUPTED, Outcome.ERROR, Outcome.NOTHING, Outcome.INCOMPLETE)


def junit(report: Report) -> str:
    """The report as JUnit XML, one test case a check.

    A run that says nothing, was cut short or is incomplete gets a test case of its own with an error, so that a
    reader that only counts never sees such a run as passed.
    """
    cases = [_case(result) for result in report.checks]
    failures, errors = _having(cases, "failure"), _having(cases, "error")
    good = report.outcome in GOOD
    if report.outcome in NOT_ALL_RAN or not (good or failures or errors):
        cases.append(_run_case(report))
        errors += 1
    suite = ET.Element(
        "testsuite",
        name="dra-conformance",
        tests=str(len(cases)),
        failures=str(failures),
        errors=str(errors),
        skipped=str(_having(cases, "skipped")),
        time=_seconds((report.finished or report.started) - report.started),
        timestamp=datetime.fromtimestamp(report.started, UTC).strftime("%Y-%m-%dT%H:%M:%S"),
    )
    _add_properties(suite, _facts(report))
    suite.extend(cases)
    root = ET.Element("testsuites", name="DRA conformance")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def describe(finding: FindingRecord) -> str:
    """A finding in three lines: what was expected, observed and wanted."""
    head = f"{finding.requirement} ({finding.level}): expected that {visible(finding.sentence)}"
    waived = f"\n  {visible(str(finding.waived))}" if finding.waived else ""
    return f"{head}\n  observed: {shown(finding.got)}\n  wanted:   {shown(finding.want)}{waived}"


def _case(result: CheckResult) -> ET.Element:
    case = ET.Element("testcase", classname=f"dra.{visible(result.area)}", name=visible(result.id))
    case.set("time", _seconds(result.seconds))
    facts = {"verdict": result.verdict.value, "title": result.title, "covers": " ".join(result.covers)}
    if result.reproduce:
        facts["reproduce"] = result.reproduce
    _add_properties(case, facts)
    text = _body(result)
    message = visible(result.message.strip().partition("\n")[0]) or result.verdict.meaning
    if result.verdict is Verdict.FAIL:
        ET.SubElement(case, "failure", type="Broken", message=message).text = text
    elif result.verdict is Verdict.INCONCLUSIVE:
        ET.SubElement(case, "error", type="Inconclusive", message=message).text = text
    elif result.verdict in SKIPPED:
        skipped = ET.SubElement(case, "skipped", type=result.verdict.value, message=message)
        skipped.text = text if result.verdict is Verdict.WAIVED else None
    elif text:
        ET.SubElement(case, "system-out").text = text
    return case


def _run_case(report: Report) -> ET.Element:
    case = ET.Element("testcase", classname="dra.run", name="run", time="0.000")
    ET.SubElement(case, "error", type=report.outcome.value, message=visible(headline(report)))
    return case


def _body(result: CheckResult) -> str:
    lines = [result.message.strip()] if result.message.strip() else []
    lines += [describe(finding) for finding in result.findings if not finding.holds]
    lines += [f"evidence: {path}" for path in result.evidence]
    return visible("\n".join(lines))


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
