"""What a submission stands for is never more than its run showed."""

from dataclasses import replace
from pathlib import Path

import pytest

from conformance.index.entry import Entry, Standing
from conformance.index.layout import Place, place_of
from conformance.report import CheckResult, Outcome, Report
from conformance.report.badge import GREEN, badge
from conformance.report.verify import Verified
from conformance.verdict import Verdict
from tests.index.conftest import WHO
from tests.report import samples

PLACE = Place(Path("x"), "a", "1", "r")


def entry(report: Report, *, ours: bool = True) -> Entry:
    return Entry(PLACE, WHO, Verified([], report), report, ours)


def found(verdict: Verdict, requirement: str) -> CheckResult:
    """A check with a verdict that has seen this obligation broken."""
    said = samples.finding(requirement, "it is so", holds=False)
    return samples.check("a.b", verdict, "T.", [requirement], findings=[said])


MUST, SHOULD = "PREP-05", "PREP-06"


@pytest.mark.parametrize(
    ("report", "standing", "part"),
    [
        (samples.good(), Standing.CONFORMANT, ""),
        (samples.bad(), Standing.NOT_CONFORMANT, ""),
        (samples.interrupted(), Standing.PARTIAL, "interrupted"),
        (samples.report(Outcome.INTERRUPTED, [found(Verdict.FAIL, MUST)]), Standing.NOT_CONFORMANT, "interrupted"),
        (samples.report(Outcome.SELECTION), Standing.PARTIAL, "selection"),
        (samples.report(Outcome.SELECTION, [found(Verdict.WAIVED, MUST)]), Standing.NOT_CONFORMANT, "selection"),
        (samples.report(Outcome.INCOMPLETE, exit_status=7), Standing.PARTIAL, "incomplete"),
        (samples.report(Outcome.INCONCLUSIVE, exit_status=6), Standing.INCONCLUSIVE, ""),
        (samples.report(Outcome.ERROR, exit_status=3), Standing.INCONCLUSIVE, ""),
        (samples.empty(), Standing.INCONCLUSIVE, ""),
        (samples.report(exit_status=6), Standing.RESERVED, ""),
        (samples.report(exit_status=1), Standing.RESERVED, ""),
        (samples.report(checks=[found(Verdict.WAIVED, SHOULD)]), Standing.RESERVED, ""),
        (samples.report(checks=[found(Verdict.WAIVED, MUST)]), Standing.NOT_CONFORMANT, ""),
        (samples.report(checks=[samples.check("a.b", Verdict.WAIVED, "T.", [])]), Standing.NOT_CONFORMANT, ""),
        (samples.report(checks=[found(Verdict.FAIL, MUST)]), Standing.NOT_CONFORMANT, ""),
        (samples.report(checks=[found(Verdict.INCONCLUSIVE, MUST)], exit_status=6), Standing.RESERVED, ""),
    ],
)
def test_only_one_of_them_is_green(report: Report, standing: Standing, part: str) -> None:
    seen = entry(report)
    assert (seen.standing, seen.part) == (standing, part)
    assert (GREEN in badge(seen.trusted)) is (standing is Standing.CONFORMANT)


def test_what_another_suite_calls_conformant_is_not_taken_for_it() -> None:
    """Its list of checks is not known here, so that some may be missing."""
    seen = entry(samples.good(), ours=False)
    assert seen.standing is Standing.OTHER_SUITE
    assert GREEN not in badge(seen.trusted)
    assert entry(samples.bad(), ours=False).standing is Standing.NOT_CONFORMANT


@pytest.mark.parametrize("standing", Standing)
def test_every_standing_is_defined(standing: Standing) -> None:
    assert standing.meaning.endswith(".")


def test_where_a_report_belongs() -> None:
    report = samples.report(profiles=["health", "core"], cluster={"kind": "kind", "kubernetes": "v1.37.2+k3s1"})
    place = place_of(Path("index"), report, "2.0/rc 1")
    assert place.name == "submissions/gpu.example.com/2.0-rc-1/1.37.2+k3s1-kind-core-and-1-2026-05-28"
    assert place.folder == Path("index") / place.name


def test_the_version_of_the_report_counts() -> None:
    report = samples.good()
    report.driver.version = "1.0"
    seen = replace(entry(report), metadata=replace(WHO, version=""))
    assert seen.version == "1.0"
    assert entry(samples.good()).version == WHO.version
