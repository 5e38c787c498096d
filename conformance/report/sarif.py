"""SARIF 2.1.0 of a report: broken obligations as results, for tools that collect findings, such as code scanning."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from conformance.report.model import CheckResult, Outcome, Report, RequirementRecord
from conformance.report.sources import links
from conformance.report.text import visible
from conformance.report.whole import RED, RUN, describe, first_line, name_of, told, trouble
from conformance.requirement import Level
from conformance.verdict import Verdict

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Level.MUST: "error", Level.SHOULD: "warning", Level.MAY: "note"}


def sarif(report: Report) -> str:
    """The report as SARIF: a result for each obligation that a check saw broken, and one for each that could not judge.

    No result at all would read as "all is well": so a run that is not good, whatever its checks say, has a result, too.
    A result has the driver file as its place, as that is what the repository has of the driver. `executionSuccessful`
    is only true of a run that proves something.
    """
    wrong = trouble(report)
    rules = [_rule(requirement) for requirement in report.requirements]
    known = {rule["id"]: number for number, rule in enumerate(rules)}
    file = visible(report.driver.file)
    results = [row for result in report.checks for row in _results(result, file, known)]
    if wrong:
        results.append(_of_the_run(wrong, file))
    run = {
        "tool": {
            "driver": {
                "name": "dra-conformance",
                "semanticVersion": report.suite.version,
                "rules": rules,
            }
        },
        "invocations": [_invocation(report, wrong)],
        "results": results,
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(requirement: RequirementRecord) -> dict[str, Any]:
    url = next((url for _, url in links(requirement.source)), "")
    return {
        "id": visible(requirement.id),
        "shortDescription": {"text": visible(requirement.statement) or "-"},
        "help": {"text": visible(f"{requirement.statement}\nSource: {requirement.source}")},
        **({"helpUri": url} if url else {}),
        "defaultConfiguration": {"level": _LEVELS[requirement.level]},
        "properties": {"area": visible(requirement.area), "source": visible(requirement.source)},
    }


def _results(result: CheckResult, file: str, known: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    for finding in result.missed:
        rule = visible(finding.requirement)
        text = describe(finding)
        row = _result(result, rule, _LEVELS[finding.level], text, file)
        yield {**row, **({"ruleIndex": known[rule]} if rule in known else {})}
    if result.verdict in RED and not result.missed:
        yield _result(result, name_of(result), "error", told(result) or result.verdict.meaning, file)


def _result(result: CheckResult, rule: str, level: str, text: str, file: str) -> dict[str, Any]:
    waived = result.verdict is Verdict.WAIVED
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": f"{name_of(result)}: {text}"},
        "locations": [_place(file)],
        "partialFingerprints": {"check/v1": f"{rule}@{name_of(result)}"},
        "suppressions": [{"kind": "external", "justification": first_line(result)}] if waived else [],
        "properties": {"verdict": result.verdict.value, "reproduce": visible(result.reproduce)},
    }


def _of_the_run(wrong: str, file: str) -> dict[str, Any]:
    return {"ruleId": f"dra.{RUN}", "level": "error", "message": {"text": wrong}, "locations": [_place(file)]}


def _place(file: str) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": quote(file, safe="/.-_")}}}


def _invocation(report: Report, wrong: str) -> dict[str, Any]:
    ended = report.finished is not None and report.outcome not in (Outcome.INTERRUPTED, Outcome.ERROR)
    notes = [{"level": "error", "message": {"text": wrong}}] if wrong else []
    return {
        "executionSuccessful": ended and not wrong,
        "startTimeUtc": _utc(report.started),
        **({"endTimeUtc": _utc(report.finished)} if report.finished is not None else {}),
        **({} if report.exit_status is None else {"exitCode": report.exit_status}),
        "toolExecutionNotifications": notes,
    }


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
