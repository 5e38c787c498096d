"""A deadline is broken only when three tries pass it while a process that does nothing else is quick."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from conformance.checks import deadline
from conformance.checks.deadline import Probe, in_time, missed
from conformance.cluster import Answer, Backend
from conformance.verdict import Inconclusive

OURS = cast(Backend, SimpleNamespace())


def answer(code: str) -> Answer:
    return Answer("NodePrepareResources", (), code, "", {}, 0.0)


def answers(*codes: str) -> Iterator[Answer]:
    return iter([answer(code) for code in codes])


def test_three_late_tries_break_it() -> None:
    assert missed(OURS, 1.0, lambda: True)


def test_one_try_in_time_is_enough() -> None:
    tries = iter([True, False, True])
    assert not missed(OURS, 1.0, lambda: next(tries))


def test_a_later_answer_that_came_in_time_counts() -> None:
    tries = answers("DEADLINE_EXCEEDED", "OK", "DEADLINE_EXCEEDED")
    assert in_time(lambda: next(tries)) == answer("OK")


def test_three_late_answers_are_none() -> None:
    assert in_time(lambda: answer("DEADLINE_EXCEEDED")) is None


def test_on_a_machine_that_is_too_busy_nobody_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline.Probe, "ask", lambda _: 0.5)
    with pytest.raises(Inconclusive, match=r"took 0\.5 s: the machine is too busy"):
        missed(OURS, 1.0, lambda: True)


def test_on_a_machine_of_others_nobody_is_blamed() -> None:
    theirs = SimpleNamespace(own_name=str, elsewhere=set, claims_free=int)
    with pytest.raises(Inconclusive, match="is not known"):
        missed(cast(Backend, theirs), 1.0, lambda: True)


def test_a_probe_that_has_ended_tells_nothing() -> None:
    with Probe() as probe:
        assert probe.ask() > 0
        probe.end()
        with pytest.raises(Inconclusive, match="has ended"):
            probe.ask()
