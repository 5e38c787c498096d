"""A trial: one check being tried, from its start until its verdict is known."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conformance import judging
from conformance.check import Check
from conformance.requirement import Level
from conformance.verdict import Broken, Unjudged, Unseen, Verdict

if TYPE_CHECKING:
    import pytest

    from conformance.cluster import Cluster
    from conformance.expect import Expect, Finding


@dataclass
class Trial:
    """One check being tried. `since`: where its part of the history begins; unseen: the cluster shows too little.

    waived: who answers for what it has found, and why, where waivers cover all of it.
    """

    check: Check
    node_id: str
    since: int
    expect: "Expect"
    started: float = field(default_factory=time.time)
    clock: float = field(default_factory=time.perf_counter)
    attempts: int = 0
    verdict: Verdict | None = None
    message: str = ""
    unseen: bool = False
    waived: str = ""
    traceback: str = ""
    cluster: "Cluster | None" = None
    evidence: list[str] = field(default_factory=list)

    def absorb(self, when: str, excinfo: "pytest.ExceptionInfo[BaseException] | None") -> None:
        """Take in how a phase (setup, call, teardown) ended."""
        self.attempts += when == "setup"
        error = excinfo.value if excinfo else None
        raised = says(error) if error else None
        verdict = judging.after(self.verdict, when, raised, self.check.covers, self.expect.findings)
        if when == "teardown" and verdict is self.verdict:
            return
        self.verdict = verdict
        self.message = self._message(when, error)
        self.unseen = isinstance(error, Unseen)
        if excinfo and not isinstance(error, Broken | Unjudged):
            self.traceback = str(excinfo.getrepr(style="short"))

    def _message(self, when: str, error: BaseException | None) -> str:
        if self.verdict is Verdict.FAIL:
            broken = self.expect.broken(Level.MUST)
            return _said(broken[-1]) if broken else str(error)
        if error is not None:
            told = str(error) if isinstance(error, Unjudged) else f"{type(error).__name__}: {error}"
            return f"cleaning up failed: {told}" if when == "teardown" else told
        if self.verdict is Verdict.INCONCLUSIVE:
            return f"the check ended without judging {', '.join(self.expect.unjudged())}, which its header covers"
        return "; ".join(map(_said, self.expect.broken(Level.SHOULD) or self.expect.broken(Level.MAY)))


def says(error: BaseException) -> Verdict:
    """The verdict that an exception leads to: only `Broken` blames the driver."""
    if isinstance(error, Broken):
        return Verdict.FAIL
    return error.verdict if isinstance(error, Unjudged) else Verdict.INCONCLUSIVE


def _said(finding: "Finding") -> str:
    return f"{finding.requirement} ({finding.level}): expected that {finding.sentence}"
