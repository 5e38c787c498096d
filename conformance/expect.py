"""`expect`: the words in which a check judges the driver.

    expect("PREP-05").equal(again.error, "", "a repeated Prepare succeeds")

A MUST that does not hold raises `Broken`; a SHOULD is recorded and the check goes on; a MAY is noted.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sized
from dataclasses import dataclass, field
from typing import Any

from conformance.judging import unjudged
from conformance.redact import redact, redact_text
from conformance.requirement import Level, Requirement, catalogue
from conformance.verdict import Broken


@dataclass(frozen=True)
class Finding:
    """One obligation judged: what was expected in words, and what was seen."""

    requirement: str
    level: Level
    sentence: str
    holds: bool
    got: Any = None
    want: Any = None

    def __str__(self) -> str:
        seen = f"observed {redact(self.got)!r}, wanted {redact(self.want)!r}"
        return redact_text(f"{self.requirement} ({self.level}): expected that {self.sentence}; {seen}")


@dataclass
class Expect:
    """Judges requirements for one check and keeps every finding. `listener` is told each finding as it is made.

    own: requirements that are not in the catalogue, by id.
    """

    covers: Collection[str]
    listener: Callable[[Finding], None] = lambda _: None
    findings: list[Finding] = field(default_factory=list)
    own: Mapping[str, Requirement] = field(default_factory=dict)

    def __call__(self, requirement: str) -> "Expectation":
        """Begin to judge one requirement, by its id. Raises LookupError for an id that the header does not cover."""
        if requirement not in self.covers:
            raise LookupError(f"expect({requirement!r}): the check's header does not list it in `covers`")
        return Expectation(self, self.requirement(requirement))

    def requirement(self, id: str) -> Requirement:
        """A requirement of the catalogue, or of the vendor's own. Raises LookupError."""
        return self.own[id] if id in self.own else catalogue()[id]

    def take(self, finding: Finding) -> None:
        """Keep a finding and tell it. Raises Broken for a MUST that does not hold."""
        __tracebackhide__ = True
        self.findings.append(finding)
        self.listener(finding)
        if not finding.holds and finding.level is Level.MUST:
            raise Broken(str(finding))

    def broken(self, level: Level) -> list[Finding]:
        """Findings of one level that do not hold."""
        return [f for f in self.findings if f.level is level and not f.holds]

    def unjudged(self) -> list[str]:
        """Covered requirements that were never judged: such a check proves nothing."""
        return unjudged(self.covers, self.findings)


@dataclass(frozen=True)
class Expectation:
    """One requirement about to be judged. `sentence` completes "expected that …"."""

    expect: Expect
    requirement: Requirement

    def true(self, condition: object, sentence: str, got: Any = None) -> bool:
        """The condition holds; `got` is what was observed, for the report."""
        return self._judge(bool(condition), sentence, condition if got is None else got, True)

    def equal(self, got: Any, want: Any, sentence: str) -> bool:
        """Both are equal."""
        return self._judge(got == want, sentence, got, want)

    def empty(self, got: Sized, sentence: str) -> bool:
        """Nothing is in it: usually a list of offenders."""
        return self._judge(len(got) == 0, sentence, got, type(got)())

    def contains(self, got: Iterable[Any], want: Any, sentence: str) -> bool:
        """`want` is in it."""
        seen = got if isinstance(got, str) else list(got)
        return self._judge(want in seen, sentence, seen, want)

    def one_of(self, got: Any, want: Collection[Any], sentence: str) -> bool:
        """It is one of the allowed values."""
        return self._judge(got in want, sentence, got, list(want))

    def at_most(self, got: float, want: float, sentence: str) -> bool:
        """It is not more than the limit."""
        return self._judge(got <= want, sentence, got, want)

    def at_least(self, got: float, want: float, sentence: str) -> bool:
        """It is not less than the limit."""
        return self._judge(got >= want, sentence, got, want)

    def _judge(self, holds: bool, sentence: str, got: Any, want: Any) -> bool:
        __tracebackhide__ = True
        finding = Finding(self.requirement.id, self.requirement.level, sentence, holds, got, want)
        self.expect.take(finding)
        return holds
