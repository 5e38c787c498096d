"""Allure, when it is told to write results: labels with check id, requirements and verdict, and no secrets in texts."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from conformance.redact import redact_text
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from conformance.session.trial import Trial

_NAME = "dra-conformance"


def label(trial: "Trial") -> None:
    """Label the current test result with the check's header and verdict."""
    import allure_commons

    _redact_all(allure_commons.plugin_manager)
    hook = allure_commons.plugin_manager.hook
    check = trial.check
    hook.add_title(test_title=check.title)
    for name, values in {
        "epic": ["DRA conformance"],
        "feature": [check.area],
        "check": [check.id],
        "requirement": list(check.covers),
        "profile": [check.profile],
        "tier": [check.tier.value],
        "verdict": [str(Verdict.WAIVED if trial.waived else trial.verdict)],
    }.items():
        hook.add_label(label_type=name, labels=tuple(values))


def _redact_all(manager: Any) -> None:
    """See to it that what Allure says of an error, which is the error's own text, is redacted before it is written."""
    import allure_commons

    class Redacting:
        """Takes part in Allure's reporting, before the one who writes the files."""

        @allure_commons.hookimpl(tryfirst=True)
        def report_result(self, result: Any) -> None:
            """Of a test."""
            _redact([result])

        @allure_commons.hookimpl(tryfirst=True)
        def report_container(self, container: Any) -> None:
            """Of fixtures."""
            _redact([*container.befores, *container.afters])

    if not manager.has_plugin(_NAME):
        manager.register(Redacting(), _NAME)


def _redact(results: Iterable[Any]) -> None:
    for details in (result.statusDetails for result in results if result.statusDetails):
        details.message, details.trace = redact_text(details.message or ""), redact_text(details.trace or "")
