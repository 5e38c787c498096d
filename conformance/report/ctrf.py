"""ctrf.json: the Common Test Report Format (ctrf.io), specification 0.0, of a report."""

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from conformance.report.model import CheckResult, Report
from conformance.report.obligations import headline
from conformance.report.text import visible
from conformance.report.whole import RED, RUN, SILENT, first_line, name_of, told, trouble
from conformance.verdict import Verdict

_SPEC_VERSION = "0.0.0"
_STATUSES = ("passed", "failed", "skipped", "pending", "other")


def ctrf(report: Report) -> str:
    """The report as CTRF, one test a check; the verdict is its `rawStatus`.

    The format has no word for "could not be judged", so such a check is `failed`. A run that was cut short, is empty or
    proves nothing has a test of its own, `dra.run`, that has failed.
    """
    wrong = trouble(report)
    tests = [_test(result) for result in report.checks] + ([_run(report, wrong)] if wrong else [])
    counted = Counter(test["status"] for test in tests)
    start, stop = _milliseconds(report.started), _milliseconds(report.finished or report.started)
    document = {
        "reportFormat": "CTRF",
        "specVersion": _SPEC_VERSION,
        "reportId": str(uuid5(NAMESPACE_URL, f"{report.started}/{report.footer.report if report.footer else ''}")),
        "timestamp": datetime.fromtimestamp(report.finished or report.started, UTC).isoformat(),
        "generatedBy": f"dra-conformance {report.suite.version}",
        "results": {
            "tool": {"name": "dra-conformance", "version": report.suite.version},
            "summary": {
                "tests": len(tests),
                **{status: counted[status] for status in _STATUSES},
                "start": start,
                "stop": stop,
                "duration": stop - start,
            },
            "tests": tests,
            "environment": _environment(report, healthy=not wrong and not report.with_verdict(*RED)),
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _test(result: CheckResult) -> dict[str, Any]:
    start, duration = _milliseconds(result.started), _milliseconds(result.seconds)
    test: dict[str, Any] = {
        "testId": f"dra.{name_of(result)}",
        "name": name_of(result),
        "status": "failed" if result.verdict in RED else "skipped" if result.verdict in SILENT else "passed",
        "rawStatus": result.verdict.value,
        "duration": duration,
        "start": start,
        "stop": start + duration,
        "suite": ["DRA conformance", visible(result.profile), visible(result.area)],
        "filePath": visible(result.node_id.partition("::")[0]),
        "tags": [visible(id) for id in result.covers],
        "labels": {"profile": visible(result.profile), "area": visible(result.area), "tier": visible(result.tier)},
        "retries": max(result.attempts - 1, 0),
        "extra": {"title": visible(result.title), "reproduce": visible(result.reproduce)},
    }
    if result.verdict is not Verdict.PASS:
        test |= {"message": first_line(result), "trace": told(result)}
    if result.worker:
        test["threadId"] = visible(result.worker)
    if result.evidence:
        test["attachments"] = [
            {"name": visible(path.rpartition("/")[2]) or "evidence", "contentType": _type(path), "path": visible(path)}
            for path in result.evidence
        ]
    return test


def _run(report: Report, wrong: str) -> dict[str, Any]:
    return {
        "testId": f"dra.{RUN}",
        "name": RUN,
        "status": "failed",
        "rawStatus": report.outcome.value,
        "duration": 0,
        "suite": ["DRA conformance"],
        "message": wrong,
    }


def _environment(report: Report, *, healthy: bool) -> dict[str, Any]:
    cluster = {name: value for name, value in report.cluster.items() if isinstance(value, str | int)}
    return {
        "reportName": "DRA conformance",
        "appName": visible(report.driver.name),
        "appVersion": visible(report.driver.version),
        "testEnvironment": visible(str(report.cluster.get("kind", ""))),
        "healthy": healthy,
        "extra": {
            "headline": visible(headline(report)),
            "outcome": report.outcome.value,
            "exitStatus": report.exit_status,
            "cluster": {visible(name): visible(str(value)) for name, value in cluster.items()},
        },
    }


def _type(path: str) -> str:
    return "application/json" if path.endswith(".json") else "text/plain"


def _milliseconds(seconds: float) -> int:
    return round(max(seconds, 0) * 1000)
