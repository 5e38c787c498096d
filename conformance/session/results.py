"""Results as they come in, and the report that is made of them."""

import os
import shlex
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from conformance import __version__
from conformance.check import VENDOR, Check
from conformance.identity import catalogue_digest, commit, suite_digest
from conformance.report.conclusion import Conclusion, conclude, ending
from conformance.report.model import CheckResult, DriverInfo, Outcome, Report, SuiteInfo
from conformance.report.text import amount
from conformance.report.waived import covered, record
from conformance.report.waived import notes as waiver_notes
from conformance.requirement import Level, catalogue
from conformance.session.collected import Collected
from conformance.session.named import same_driver
from conformance.session.options import Settings
from conformance.session.resume import Kept
from conformance.target import Target, notes
from conformance.verdict import Verdict
from conformance.versions import versions
from conformance.waivers.model import Waivers

UNFINISHED = "the run did not finish"


@dataclass
class Results:
    """What is known of the run so far, in the only or the controlling process.

    root: what node ids are relative to; cwd: the folder that the run was started in.
    """

    settings: Settings
    target: Target
    root: Path
    cwd: Path
    started: float = field(default_factory=time.time)
    collected: Collected = field(default_factory=Collected)
    by_node_id: dict[str, CheckResult] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    others_failed: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    interrupted: str = ""
    notes: list[str] = field(default_factory=list)
    waivers: Waivers | None = None
    _lost: set[str] = field(default_factory=set)

    def add(self, payload: dict[str, Any]) -> CheckResult:
        """Take in a check's result as a worker, or this process, has sent it."""
        result = CheckResult.model_validate(payload["result"])
        result.reproduce = self._reproduce(result)
        self._learn(payload["facts"])
        self.by_node_id[result.node_id] = covered(result, self.waivers)
        return self.by_node_id[result.node_id]

    def take_over(self, kept: Kept, started: float) -> None:
        """Take over the results of an earlier part of the run, which began at `started`."""
        self.started = started
        for payload in kept.results.values():
            self.add(payload)

    def _learn(self, facts: dict[str, Any]) -> None:
        """Of features, each worker has seen some."""
        seen = {*self.facts.get("features_seen", ()), *facts.get("features_seen", ())}
        self.facts |= {**facts, "features_seen": sorted(seen)} if "features_seen" in facts else facts

    def add_lost(self, node_id: str, message: str) -> CheckResult | None:
        """A check whose worker died: nobody knows what it would have said."""
        check = self.check(node_id)
        if check is None:
            return None
        result = CheckResult(
            id=check.id,
            title=check.title,
            area=check.area,
            profile=check.profile,
            tier=check.tier.value,
            covers=list(check.covers),
            needs=list(check.needs),
            node_id=node_id,
            verdict=Verdict.INCONCLUSIVE,
            message=message,
            started=time.time(),
        )
        result.reproduce = self._reproduce(result)
        self.by_node_id[node_id] = result
        self._lost.add(node_id)
        return result

    def see_broken(self, history: Path) -> None:
        """What a lost check had seen broken before its worker died stays so: the history has it."""
        from conformance.report.derive import HistoryError, derive, rows

        if not self._lost:
            return
        with suppress(OSError, ValueError, HistoryError):
            for check in derive(rows(history)):
                if check.node_id in self._lost:
                    lost = self.by_node_id[check.node_id]
                    lost.findings = list(check.findings)
                    lost.verdict = check.verdict if check.verdict is Verdict.FAIL else lost.verdict
                    self.by_node_id[check.node_id] = covered(lost, self.waivers)

    def check(self, node_id: str) -> Check | None:
        """The header of a selected check by its node id."""
        return next((row.check for row in self.collected.selected if row.node_id == node_id), None)

    def missing(self) -> list[str]:
        """Selected checks without a verdict."""
        return [row.check.id for row in self.collected.selected if row.node_id not in self.by_node_id]

    def conclude(self, raw: int, *, published: bool) -> Conclusion:
        """What the run says, given the status that pytest would exit with, and whether there was ever a device."""
        checks = ending(self._in_order(), missing=self.missing(), selection=self._selection(), raw=raw)
        others = len(self.others_failed)
        run = replace(checks, errors=self.errors, interrupted=self.interrupted, others_failed=others)
        return conclude(replace(run, published=published))

    def report(self, conclusion: Conclusion | None) -> Report:
        """The report so far; without a conclusion, that of a run which has not finished."""
        checks = self._in_order()
        waivers = record(checks, self.waivers) if self.waivers else None
        return Report.build(
            suite=_suite(),
            driver=self._driver(),
            cluster=self.facts.get("cluster", {"kind": self.settings.cluster}),
            settings={**self.settings.facts(), "versions": versions()},
            started=self.started,
            finished=time.time() if conclusion else None,
            outcome=conclusion.outcome if conclusion else Outcome.INTERRUPTED,
            exit_status=conclusion.status if conclusion else None,
            reason=conclusion.reason if conclusion else UNFINISHED,
            selection=bool(self._selection()),
            profiles=self._profiles(),
            tier=self.settings.tier.value,
            checks=checks,
            notes=[*self.notes, *waiver_notes(waivers), *self._feature_notes(), *self._coverage_notes()],
            waivers=waivers,
            requirements={**catalogue(), **{own.id: own for row in self.collected.selected for own in row.check.own}},
        )

    def _selection(self) -> str:
        """Why this does not say all that the suite can say, "" when it does."""
        blind = not self.facts.get("sees_calls", True)
        unseen = "calls between the kubelet and the driver cannot be seen on this cluster" if blind else ""
        return self.collected.selection or unseen

    def _in_order(self) -> list[CheckResult]:
        return [self.by_node_id[row.node_id] for row in self.collected.selected if row.node_id in self.by_node_id]

    def _profiles(self) -> list[str]:
        """Those that were asked for, or else those that say something about this driver.

        A vendor's own never count as conformance, so they are not among them.
        """
        silent = (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN, Verdict.BLOCKED)
        said = [result.profile for result in self._in_order() if result.verdict not in silent]
        profiles = self.settings.asked_profiles or said
        return [profile for profile in dict.fromkeys(profiles) if not profile.startswith(VENDOR)]

    def _driver(self) -> DriverInfo:
        target, images = self.target, self.facts.get("images", {})
        return DriverInfo(
            file=self.settings.driver,
            name=target.driver_name,
            version=driver_version(target, images),
            images=images,
            device_classes=target.device_classes,
            supported_versions=self.facts.get("supported_versions", []),
            features_claimed=sorted(target.features_claimed),
            features_seen=self.facts.get("features_seen", []),
            mocks=target.file.mocks,
        )

    def _feature_notes(self) -> Sequence[str]:
        seen = self.facts.get("features_seen")
        return [] if seen is None or self.settings.driver_name else notes(self.target.features_claimed, seen)

    def _coverage_notes(self) -> Sequence[str]:
        """What even a whole run says nothing about: a reader takes "58 of 58" for all that there is."""
        covered = {name for row in self.collected.selected for name in row.check.covers}
        open_ = [r for r in catalogue().values() if r.level is Level.MUST and r.id not in covered]
        if self._selection() or not open_:
            return []
        left = amount(len(open_), "MUST obligation")
        return [
            f"not looked at, as no check of this run covers it: {left} of the catalogue; "
            "dra-conformance coverage shows them"
        ]

    def _reproduce(self, result: CheckResult) -> str:
        paths = [self._path(result.node_id)] if result.profile.startswith(VENDOR) else []
        same = [*self.settings.same_cluster, f"--conformance-seed={self.settings.seed}"]
        options = [*same_driver(self.settings), *same, f"--check={result.id}"]
        return shlex.join(["dra-conformance", "run", *paths, *options])

    def _path(self, node_id: str) -> str:
        """The file of a check, as it is named in the folder that the run was started in."""
        path = Path(os.path.normpath(self.root / node_id.partition("::")[0]))
        return str(path.relative_to(self.cwd) if path.is_relative_to(self.cwd) else path)


def driver_version(target: Target, images: Collection[str]) -> str:
    """That of the driver as far as its file says it, or else the tag of an image that it ran from; or ""."""
    file = target.file
    stated = file.python or file.build or next(iter(file.install.charts if file.install else ()), None)
    if stated and stated.version:
        return stated.version
    references = [file.image.reference] if file.image else list(images)
    tags = [reference.partition("@")[0].rpartition("/")[2].partition(":")[2] for reference in references]
    return next(filter(None, tags), "")


def _suite() -> SuiteInfo:
    return SuiteInfo(version=__version__, catalogue=catalogue_digest(), commit=commit(), digest=suite_digest())
