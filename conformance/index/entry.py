"""One submission of the index, and what it stands for: never more than its run showed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from conformance.check import VENDOR
from conformance.index.layout import Place, profiles
from conformance.index.metadata import Metadata
from conformance.report.conclusion import INCONCLUSIVE
from conformance.report.model import Outcome, Report
from conformance.report.verify import Verified
from conformance.requirement import Level
from conformance.verdict import Verdict


class Standing(StrEnum):
    """What a submission says of the driver, in a word or two; only the first one is green."""

    CONFORMANT = "conformant"
    RESERVED = "with reservations"
    NOT_CONFORMANT = "not conformant"
    PARTIAL = "partial"
    INCONCLUSIVE = "inconclusive"
    OTHER_SUITE = "other suite"

    @property
    def meaning(self) -> str:
        """The definition in a sentence or two, as the pages print it."""
        return _MEANING[self]


_MEANING: Mapping[Standing, str] = {
    Standing.CONFORMANT: "Every MUST of the profiles named that applies to the driver was seen to hold, in a run of "
    "all of their checks. Nothing was waived.",
    Standing.RESERVED: "No MUST is broken, but a finding was waived, or what is no check of the suite failed.",
    Standing.NOT_CONFORMANT: "At least one MUST was seen broken, whether or not somebody waived it.",
    Standing.PARTIAL: "Only a part of the checks ran: some were selected, or the run was interrupted or is incomplete. "
    "Nothing was broken in that part; it is no statement of conformance.",
    Standing.INCONCLUSIVE: "No MUST was seen broken, but the run could not judge what it had to.",
    Standing.OTHER_SUITE: "The report calls the driver conformant, but was made by another build of the suite than the "
    "one that made this page, so nobody has held it against that suite's list of checks.",
}
_PARTS = {Outcome.SELECTION: "selection", Outcome.INTERRUPTED: "interrupted", Outcome.INCOMPLETE: "incomplete"}


@dataclass(frozen=True)
class Entry:
    """A submission that `check` accepted.

    verified: its report, sound; ours: whether the suite that looks at it is the one that made it.
    """

    place: Place
    metadata: Metadata
    verified: Verified
    report: Report
    ours: bool

    @property
    def standing(self) -> Standing:
        """What it stands for."""
        report = self.report
        if report.outcome is Outcome.NOT_CONFORMANT or _must_is_broken(report):
            return Standing.NOT_CONFORMANT
        if self.part:
            return Standing.PARTIAL
        waived = report.with_verdict(Verdict.WAIVED)
        if self.verified.conformant and not waived:
            return Standing.CONFORMANT if self.ours else Standing.OTHER_SUITE
        return Standing.RESERVED if report.outcome is Outcome.CONFORMANT else Standing.INCONCLUSIVE

    @property
    def part(self) -> str:
        """Why it is of a part of the checks only; "" when it is of all."""
        return _PARTS.get(self.report.outcome, "selection" if self.report.selection else "")

    @property
    def trusted(self) -> Verified:
        """What badges and matrices are made of: sound only where it stands for no less than it says."""
        good = self.standing is Standing.CONFORMANT
        if good or not self.verified.conformant:
            return self.verified
        return replace(self.verified, problems=[f"{self.place.name}: {self.standing.meaning}"])

    @property
    def shown(self) -> Report:
        """The report as pages show it: one that stands for less than it says says that."""
        if self.report.outcome is not Outcome.CONFORMANT or self.standing is Standing.CONFORMANT:
            return self.report
        less = {"outcome": Outcome.INCONCLUSIVE, "exit_status": INCONCLUSIVE, "reason": self.standing.meaning}
        return self.report.model_copy(update=less)

    @property
    def version(self) -> str:
        """That of the driver: by its report, or else by who submits."""
        return self.report.driver.version or self.metadata.version or "unknown"

    @property
    def kubernetes(self) -> str:
        """The minor version, such as 1.37; "?" where it is not known."""
        found = re.match(r"v?(\d+\.\d+)", str(self.report.cluster.get("kubernetes", "")))
        return found[1] if found else "?"

    @property
    def cluster(self) -> str:
        """The kind of cluster."""
        return str(self.report.cluster.get("kind", "")) or "no cluster"

    @property
    def profiles(self) -> str:
        """The first profile and how many others: `core + 8`."""
        return profiles(self.report, " + ")

    @property
    def when(self) -> float:
        """When the run began, in Unix seconds."""
        return self.report.started


def _must_is_broken(report: Report) -> bool:
    """Whether a check of the suite found a MUST broken, also where that was waived."""
    ours = [result for result in report.checks if not result.profile.startswith(VENDOR)]
    waived = [result for result in ours if result.verdict is Verdict.WAIVED]
    return any(result.verdict is Verdict.FAIL for result in ours) or any(
        # One that does not say what was waived may have hidden a MUST.
        not result.missed or any(finding.level is Level.MUST for finding in result.missed)
        for result in waived
    )
