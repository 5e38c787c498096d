"""Allure, when it is told to write results: labels, links, a status that is the verdict's, and no secrets in texts.

The run has a result of its own for as long as it is not a good one.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from conformance.redact import redact_text
from conformance.requirement import Level
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from conformance.report.model import Report
    from conformance.session.trial import Trial

_NAME = "dra-conformance"
_STATUSES = {
    Verdict.PASS: "passed",
    Verdict.INFO: "passed",
    Verdict.WARN: "passed",
    Verdict.WAIVED: "skipped",
    Verdict.FAIL: "failed",
    Verdict.INCONCLUSIVE: "broken",
}


def label(trial: "Trial") -> None:
    """Label the current test result with the check's header and verdict."""
    import allure_commons

    from conformance.report.sources import links

    _redact_all(allure_commons.plugin_manager)
    hook = allure_commons.plugin_manager.hook
    check = trial.check
    hook.add_title(test_title=check.title)
    requirements = [trial.expect.requirement(id) for id in check.covers]
    musts = any(requirement.level is Level.MUST for requirement in requirements)
    for name, values in {
        "epic": [check.profile],
        "feature": [check.area],
        "story": list(check.covers),
        "severity": ["critical" if musts else "minor"],
        "check": [check.id],
        "requirement": list(check.covers),
        "profile": [check.profile],
        "tier": [check.tier.value],
        "verdict": [str(Verdict.WAIVED if trial.waived else trial.verdict)],
    }.items():
        hook.add_label(label_type=name, labels=tuple(values))
    for requirement in requirements:
        for part, url in links(requirement.source):
            hook.add_link(url=url, link_type="link", name=f"{requirement.id}: {part}")


def show_run(config: pytest.Config, report: "Report") -> None:
    """Write, or take away, the result that stands for the run; nothing happens where no results are wanted."""
    from conformance.report.whole import RUN, trouble

    wanted = config.getoption("allure_report_dir", None)
    if not wanted:
        return
    name = f"dra.{RUN}"
    uuid = str(uuid5(NAMESPACE_URL, name))
    file = config.invocation_params.dir / Path(wanted) / f"{uuid}-result.json"
    wrong = trouble(report)
    if not wrong:
        file.unlink(missing_ok=True)
        return
    result = {
        "uuid": uuid,
        "historyId": uuid,
        "testCaseId": uuid,
        "fullName": name,
        "name": "The run",
        "status": "broken",
        "statusDetails": {"message": wrong},
        "stage": "finished",
        "labels": [{"name": "epic", "value": "run"}, {"name": "severity", "value": "blocker"}],
        "start": round(report.started * 1000),
        "stop": round((report.finished or report.started) * 1000),
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result), encoding="utf-8")


def _redact_all(manager: Any) -> None:
    """See to it that what Allure says of an error, which is the error's own text, is redacted before it is written."""
    import allure_commons

    class Redacting:
        """Takes part in Allure's reporting, before the one who writes the files."""

        @allure_commons.hookimpl(tryfirst=True)
        def report_result(self, result: Any) -> None:
            """Of a test."""
            _settle(result)
            _redact([result])

        @allure_commons.hookimpl(tryfirst=True)
        def report_container(self, container: Any) -> None:
            """Of fixtures."""
            _redact([*container.befores, *container.afters])

    if not manager.has_plugin(_NAME):
        manager.register(Redacting(), _NAME)


def _settle(result: Any) -> None:
    """Give a check the status of its verdict: Allure would take one that judged nothing for a failure."""
    verdict = next((label.value for label in result.labels if label.name == "verdict"), None)
    if verdict in list(Verdict):
        result.status = _STATUSES.get(Verdict(verdict), "skipped")


def _redact(results: Iterable[Any]) -> None:
    for details in (result.statusDetails for result in results if result.statusDetails):
        details.message, details.trace = redact_text(details.message or ""), redact_text(details.trace or "")
