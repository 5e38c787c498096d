"""A failed or unjudged check in a few lines for a person, instead of a traceback."""

from typing import TYPE_CHECKING

from conformance.redact import redact_text
from conformance.requirement import Level
from conformance.verdict import Verdict

if TYPE_CHECKING:
    from conformance.expect import Finding
    from conformance.requirement import Requirement
    from conformance.session.trial import Trial


def explain(trial: "Trial") -> str:
    """Verdict, what was expected and observed, where the obligation comes from; secrets redacted."""
    lines = [f"{trial.verdict} {trial.check.id}: {trial.check.title}"]
    broken = trial.expect.broken(Level.MUST)
    if trial.verdict is Verdict.FAIL and broken:
        lines += _finding(broken[-1], trial.expect.requirement(broken[-1].requirement))
    else:
        lines += [f"  {line}" for line in trial.message.splitlines()]
    if trial.traceback:
        lines += ["", *trial.traceback.rstrip().splitlines()]
    return redact_text("\n".join(lines))


def _finding(finding: "Finding", requirement: "Requirement") -> list[str]:
    from conformance.report.text import plain, shown

    rows = {
        "obligation": f"{requirement.id} ({requirement.level}): {requirement.statement}",
        "source": requirement.source,
        "expected": f"that {finding.sentence}",
        "observed": shown(plain(finding.got)),
        "wanted": shown(plain(finding.want)),
    }
    return [f"  {name:<10}  {_indented(text)}" for name, text in rows.items()]


def _indented(text: str) -> str:
    return text.replace("\n", "\n" + " " * 14)
