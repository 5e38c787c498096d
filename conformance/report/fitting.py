"""What checks say, cut to what the page of a whole run can hold: a driver may answer with megabytes, many times."""

from collections.abc import Iterator
from typing import Any

from conformance.report.model import CheckResult, FindingRecord, Report
from conformance.report.text import shown

CUT = "… cut here; report.json has all of it"
_ALL = 600_000  # characters of all values and messages of a page
_LONGEST, _SHORTEST = 16_000, 500  # of one of them


def fitted(report: Report) -> Report:
    """The report with long values and messages cut, the more the more of them there are."""
    sizes = [size for result in report.checks for size in _sizes(result)]
    longest = max(_SHORTEST, min(_LONGEST, _ALL // max(sum(size > _SHORTEST for size in sizes), 1)))
    if max(sizes, default=0) <= longest:
        return report
    return report.model_copy(update={"checks": [_result(result, longest) for result in report.checks]})


def _sizes(result: CheckResult) -> Iterator[int]:
    yield len(result.remark)
    for finding in result.missed:
        yield from (len(shown(finding.got)), len(shown(finding.want)))


def _result(result: CheckResult, longest: int) -> CheckResult:
    findings = [finding if finding.holds else _finding(finding, longest) for finding in result.findings]
    message = _cut(result.message, longest) if result.remark else result.message
    return result.model_copy(update={"findings": findings, "message": message})


def _finding(finding: FindingRecord, longest: int) -> FindingRecord:
    texts: dict[str, Any] = {name: getattr(finding, name) for name in ("got", "want")}
    long = {name: _cut(shown(value), longest) for name, value in texts.items() if len(shown(value)) > longest}
    return finding.model_copy(update=long)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}\n{CUT}"
