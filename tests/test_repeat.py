"""Runs that differ are told apart."""

from conformance.verdict import Verdict
from tests.repeat import differences


def test_runs_with_the_same_verdicts_do_not_differ() -> None:
    once = {"a.one": Verdict.PASS, "a.two": Verdict.WARN}
    assert differences([once, dict(once), dict(once)]) == []


def test_a_check_that_differs_is_named_with_its_verdicts() -> None:
    runs = [{"a.one": Verdict.PASS}, {"a.one": Verdict.FAIL}, {}]
    assert differences(runs) == ["a.one: PASS, FAIL, did not run"]
