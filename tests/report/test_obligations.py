"""What a run says per obligation, and in one line."""

from typing import Any

import pytest

from conformance.report import CheckResult, Outcome, headline
from conformance.report.obligations import (
    State,
    applicable,
    exit_meaning,
    not_offered,
    short_headline,
    standings,
    tally,
)
from conformance.requirement import Level
from conformance.verdict import Verdict
from tests.report import samples
from tests.report.samples import check, finding


def state(requirement: str, *checks: CheckResult) -> State:
    found = {s.requirement.id: s.state for s in standings(samples.report(checks=list(checks)))}
    return found[requirement]


def result(verdict: Verdict, requirement: str, *holds: bool) -> CheckResult:
    findings = [finding(requirement, "it is so", holds=each) for each in holds]
    return check("area.check", verdict, "Title.", [requirement], findings=findings)


def test_one_broken_finding_outweighs_all_that_hold() -> None:
    held, broken = result(Verdict.PASS, "PREP-05", True, True), result(Verdict.FAIL, "PREP-05", True, False)
    assert state("PREP-05", held, broken) is State.BROKEN


def test_held_by_one_check_and_not_reached_by_another() -> None:
    assert (
        state("PREP-05", result(Verdict.INCONCLUSIVE, "PREP-05"), result(Verdict.PASS, "PREP-05", True)) is State.HELD
    )


@pytest.mark.parametrize("verdict", [Verdict.BLOCKED, Verdict.NOT_RUN, Verdict.INCONCLUSIVE, Verdict.PASS])
def test_what_no_check_judged_is_not_held(verdict: Verdict) -> None:
    assert state("PREP-05", result(verdict, "PREP-05")) is State.UNJUDGED


def test_not_applicable_only_when_no_check_applies() -> None:
    off, blocked = result(Verdict.NOT_APPLICABLE, "PREP-05"), result(Verdict.BLOCKED, "PREP-05")
    assert state("PREP-05", off, off) is State.NOT_APPLICABLE
    assert state("PREP-05", off, blocked) is State.UNJUDGED


def test_waived_only_when_every_miss_is_waived() -> None:
    failed = result(Verdict.FAIL, "PREP-05", False)
    by = samples.waived("hw-team")
    waived = failed.model_copy(
        update={"verdict": Verdict.WAIVED, "findings": [f.model_copy(update={"waived": by}) for f in failed.findings]}
    )
    assert state("PREP-05", waived) is State.WAIVED
    assert state("PREP-05", waived, failed) is State.BROKEN


def test_a_may_is_never_broken() -> None:
    assert state("SEC-03", result(Verdict.INFO, "SEC-03", False)) is State.NOTED


def test_obligations_are_counted_by_level() -> None:
    must = tally(samples.bad(), Level.MUST)
    assert (must[State.HELD], must[State.BROKEN], must[State.UNJUDGED], must[State.NOT_APPLICABLE]) == (4, 1, 1, 1)
    assert must[State.WAIVED] == 1
    assert applicable(must) == 7


UNSURE = check("a.late", Verdict.INCONCLUSIVE, "Title.", ["REG-03"])


@pytest.mark.parametrize(
    ("outcome", "more", "line"),
    [
        (Outcome.CONFORMANT, {}, "Conformant to core at 1.37: 5 of 5 MUST"),
        (
            Outcome.CONFORMANT,
            {"profiles": ["core", "health"], "checks": [*samples.good_checks(), *samples.every_verdict()[5:8]]},
            "Conformant to core, health at 1.37: 5 of 5 MUST, 1 SHOULD missed, 1 feature not offered",
        ),
        (
            Outcome.NOT_CONFORMANT,
            {"checks": [samples.broken_check()]},
            "Not conformant to core at 1.37: 1 of 3 MUST broken (PREP-05)",
        ),
        (
            Outcome.INCONCLUSIVE,
            {"checks": [UNSURE]},
            "Inconclusive: no MUST is broken, but 1 check could not judge (a.late)",
        ),
        (Outcome.INCONCLUSIVE, {"reason": "no MUST was seen to hold"}, "Inconclusive: no MUST was seen to hold"),
        (
            Outcome.INCOMPLETE,
            {"reason": "did not run: a.b"},
            "Incomplete: no MUST is broken in what ran, but not all checks ran – did not run: a.b",
        ),
        (
            Outcome.SELECTION,
            {},
            "Selection of 4 checks, not a statement of conformance: 5 of 5 MUST",
        ),
        (
            Outcome.INTERRUPTED,
            {"reason": "SIGTERM", "checks": [samples.broken_check()]},
            "Interrupted after 1 check: SIGTERM; broken so far: PREP-05",
        ),
        (Outcome.ERROR, {"reason": "one\ntwo"}, "No verdict, the suite itself failed: one"),
        (Outcome.NOTHING, {"checks": []}, "No verdict, no check was collected"),
    ],
)
def test_the_headline(outcome: Outcome, more: dict[str, Any], line: str) -> None:
    assert headline(samples.report(outcome, **more)) == line


def test_the_headline_names_no_version_where_none_is_known() -> None:
    assert headline(samples.report(cluster={"kind": "existing"})) == "Conformant to core: 5 of 5 MUST"


def test_a_feature_is_not_offered_only_when_each_of_its_checks_says_so() -> None:
    late = [
        check(f"health.{v}", v, "Title.", ["HLTH-01"], profile="health")
        for v in (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN)
    ]
    seen = check("health.seen", Verdict.PASS, "Title.", ["HLTH-01"], profile="health")
    assert not_offered(samples.report(checks=late)) == ["health"]
    assert not_offered(samples.report(checks=[*late, seen])) == []
    assert not_offered(samples.report(checks=late[1:])) == [], "nobody knows"


def test_the_short_headline_counts_many_features() -> None:
    many = samples.report(profiles=["core", "health", "taints", "metadata"])
    assert short_headline(many) == "Conformant to core and 3 features at 1.37: 5 of 5 MUST"
    assert short_headline(samples.good()) == headline(samples.good())


def test_every_outcome_has_a_headline_for_an_empty_report() -> None:
    assert all(headline(samples.report(outcome, [])) for outcome in Outcome)


def test_status_1_blames_the_driver_only_when_it_is_not_conformant() -> None:
    assert exit_meaning(samples.bad()) == "a MUST is broken"
    other = samples.report(Outcome.CONFORMANT, exit_status=1, reason="2 other tests failed")
    assert exit_meaning(other) == "2 other tests failed"
