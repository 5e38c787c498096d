"""A trial: one check being tried, from its start until its verdict is known."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conformance.check import Check
from conformance.requirement import Level
from conformance.verdict import Broken, Unjudged, Unseen, Verdict

if TYPE_CHECKING:
    import pytest

    from conformance.cluster import Cluster
    from conformance.expect import Expect, Finding


@dataclass
class Trial:
    """One check being tried. `since`: where its part of the history begins; unseen: the cluster shows too little."""

    check: Check
    node_id: str
    since: int
    expect: "Expect"
    started: float = field(default_factory=time.time)
    clock: float = field(default_factory=time.perf_counter)
    verdict: Verdict | None = None
    message: str = ""
    unseen: bool = False
    traceback: str = ""
    cluster: "Cluster | None" = None
    evidence: list[str] = field(default_factory=list)

    def absorb(self, when: str, excinfo: "pytest.ExceptionInfo[BaseException] | None") -> None:
        """Take in how a phase (setup, call, teardown) ended."""
        if excinfo is None:
            if when == "call":
                self._judge()
            return
        verdict, message = self._classify(excinfo.value)
        if when == "teardown":
            # What is known about the driver stays true when cleaning up after it fails.
            if self.verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE):
                return
            verdict, message = Verdict.INCONCLUSIVE, f"cleaning up failed: {message}"
        self.verdict, self.message = verdict, message
        self.unseen = isinstance(excinfo.value, Unseen)
        if not isinstance(excinfo.value, Broken | Unjudged):
            self.traceback = str(excinfo.getrepr(style="short"))

    def _judge(self) -> None:
        unjudged = self.expect.unjudged()
        if unjudged:
            self.verdict = Verdict.INCONCLUSIVE
            self.message = f"the check ended without judging {', '.join(unjudged)}, which its header covers"
            return
        should, may = self.expect.broken(Level.SHOULD), self.expect.broken(Level.MAY)
        self.verdict = Verdict.WARN if should else Verdict.INFO if may else Verdict.PASS
        self.message = "; ".join(_said(finding) for finding in should or may)

    def _classify(self, error: BaseException) -> tuple[Verdict, str]:
        if isinstance(error, Broken):
            broken = self.expect.broken(Level.MUST)
            return Verdict.FAIL, _said(broken[-1]) if broken else str(error)
        if isinstance(error, Unjudged):
            return error.verdict, str(error)
        return Verdict.INCONCLUSIVE, f"{type(error).__name__}: {error}"


def _said(finding: "Finding") -> str:
    return f"{finding.requirement} ({finding.level}): expected that {finding.sentence}"
