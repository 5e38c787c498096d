"""From what a check has judged, and how its phases ended, to its verdict.

A run asks this as it goes on, and whoever reads its history asks it again: so a verdict can be held against the record.
"""

from collections.abc import Collection, Iterable
from typing import Protocol

from conformance.requirement import Level
from conformance.verdict import Verdict


class Judged(Protocol):
    """One obligation judged: a finding of a check, or the record of one."""

    @property
    def requirement(self) -> str:
        """Its id."""

    @property
    def level(self) -> Level:
        """How strongly the contract asks for it."""

    @property
    def holds(self) -> bool:
        """Whether it was seen to hold."""


def after(
    known: Verdict | None, when: str, raised: Verdict | None, covers: Collection[str], findings: Collection[Judged]
) -> Verdict | None:
    """The verdict once one more phase has ended, None while there is none.

    known: the verdict so far; when: setup, call or teardown; raised: what the exception says that the phase ended with,
    None when it ended well; covers, findings: of the whole check so far. A MUST that was seen broken stays so, whatever
    a check does afterwards, and also when it is tried again.
    """
    if when == "teardown":
        # What is known about the driver stays true when cleaning up after it fails.
        settled = raised is None or known in (Verdict.FAIL, Verdict.INCONCLUSIVE)
        return known if settled else Verdict.INCONCLUSIVE
    if missed(findings, Level.MUST):
        return Verdict.FAIL
    if raised is not None:
        return raised
    return _of_the_body(covers, findings) if when == "call" else known


def missed(findings: Iterable[Judged], level: Level) -> bool:
    """Whether an obligation of this level was seen not to hold."""
    return any(finding.level is level and not finding.holds for finding in findings)


def unjudged(covers: Iterable[str], findings: Iterable[Judged]) -> list[str]:
    """Covered requirements that were never judged: such a check proves nothing."""
    judged = {finding.requirement for finding in findings}
    return [requirement for requirement in covers if requirement not in judged]


def _of_the_body(covers: Collection[str], findings: Collection[Judged]) -> Verdict:
    if unjudged(covers, findings):
        return Verdict.INCONCLUSIVE
    if missed(findings, Level.SHOULD):
        return Verdict.WARN
    return Verdict.INFO if missed(findings, Level.MAY) else Verdict.PASS
