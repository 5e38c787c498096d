"""Labels for Allure, when it is told to write results: check id, requirements, profile, verdict."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conformance.session.trial import Trial


def label(trial: "Trial") -> None:
    """Label the current test result with the check's header and verdict."""
    import allure_commons

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
        "verdict": [str(trial.verdict)],
    }.items():
        hook.add_label(label_type=name, labels=tuple(values))
