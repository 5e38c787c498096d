"""What checks that judge a whole run find in the parts of it that were interrupted, when it is gone on with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.check import Check
from conformance.expect import Expect, Finding
from conformance.rejudge import Looked, look
from conformance.requirement import Level
from conformance.session.resume import Kept
from conformance.target import Target
from conformance.verdict import Inconclusive


@dataclass(frozen=True)
class Before:
    """What came of each earlier part in which there was something to judge by."""

    parts: Sequence[Looked]

    @classmethod
    def of(cls, check: Check, function: Callable[..., object], kept: Kept, target: Target) -> "Before":
        """Run the check over each of them. Raises Inconclusive for one that needs more than was recorded."""
        nodes = kept.facts.get("cluster", {}).get("nodes") or [""]
        own = {requirement.id: requirement for requirement in check.own}
        try:
            found = [look(function, Expect(check.covers, own=own), [part], target, nodes) for part in kept.parts]
        except LookupError as error:
            raise Inconclusive(f"cannot judge what was recorded before the run was gone on with: {error}") from None
        return cls([part for part in found if part.judged])

    @property
    def judged(self) -> bool:
        """Whether anything was judged."""
        return bool(self.parts)

    def together(self, now: Sequence[Finding]) -> list[Finding]:
        """What would have been found had it all been one part: `now` with what did not hold before."""
        found: dict[tuple[str, str], list[Finding]] = {}
        for each in [*now, *(each for part in self.parts for each in part.findings)]:
            found.setdefault((each.requirement, each.sentence), []).append(each)
        return [_one(same) for same in found.values()]


def _one(same: Sequence[Finding]) -> Finding:
    """One finding for what was judged several times; offenders of all parts, where it lists offenders."""
    broken = [each for each in same if not each.holds]
    if len(broken) > 1 and all(isinstance(each.got, list) for each in broken):
        return replace(broken[0], got=[offender for each in broken for offender in each.got])
    return broken[0] if broken else same[0]


def finding(row: Mapping[str, Any]) -> Finding:
    """A finding out of the record of one."""
    return Finding(**{**row, "level": Level(row["level"])})
