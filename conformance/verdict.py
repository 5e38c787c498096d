"""Verdicts of checks, and the exceptions by which a check reaches one.

    Broken                  a MUST does not hold                 FAIL
    Unjudged                a check ends without judging
    ├── NotApplicable       the driver does not offer it         NOT_APPLICABLE
    ├── NotRun              no hook, lower tier, not possible    NOT_RUN
    │   └── Unseen          not to be seen on this cluster       NOT_RUN
    └── Inconclusive        the harness or its environment       INCONCLUSIVE
        └── WaitTimeout     a named wait ran out of time         INCONCLUSIVE

Any other exception is the harness's own and makes the check INCONCLUSIVE: only `Broken` blames the driver.
"""

from enum import StrEnum


class Verdict(StrEnum):
    """What one check says about the driver."""

    PASS = "PASS"
    WARN = "WARN"
    FAIL = "FAIL"
    INFO = "INFO"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    BLOCKED = "BLOCKED"
    WAIVED = "WAIVED"
    NOT_RUN = "NOT_RUN"
    INCONCLUSIVE = "INCONCLUSIVE"

    @property
    def meaning(self) -> str:
        """The verdict's definition in one sentence, as reports print it."""
        return _MEANING[self]


_MEANING = {
    Verdict.PASS: "Every obligation that the check covers was seen to hold.",
    Verdict.WARN: "A SHOULD obligation is broken; every MUST that the check covers holds.",
    Verdict.FAIL: "A MUST obligation is broken.",
    Verdict.INFO: "Something worth knowing was seen; nothing is broken.",
    Verdict.NOT_APPLICABLE: "The driver neither claims nor shows what the check is about.",
    Verdict.BLOCKED: "A check that this one builds on did not pass, so this one says nothing.",
    Verdict.WAIVED: "A finding that a waiver with owner, reason and expiry covers.",
    Verdict.NOT_RUN: "Left out: not selected, a lower tier, no such hook, or something that this cluster cannot show.",
    Verdict.INCONCLUSIVE: "The harness or its environment got in the way; this says nothing about the driver.",
}


class Broken(AssertionError):
    """A MUST obligation does not hold. Raised by `Expect` only."""


class Unjudged(Exception):
    """A check ends without a judgement of the driver; the text says why."""

    verdict = Verdict.INCONCLUSIVE


class NotApplicable(Unjudged):
    """The check needs something that the driver does not offer."""

    verdict = Verdict.NOT_APPLICABLE


class NotRun(Unjudged):
    """The check could not be tried here: no hook, a lower tier, a part that the cluster cannot give."""

    verdict = Verdict.NOT_RUN


class Unseen(NotRun):
    """What the check is to judge cannot be seen on this cluster; checks that build on it are tried all the same."""


class Inconclusive(Unjudged):
    """The harness or its environment got in the way."""


class WaitTimeout(Inconclusive):
    """A named wait ran out of time for a reason that is not known to be the driver's."""
