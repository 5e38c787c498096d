"""A driver is blamed for a pod that was never gone only when nothing but its refusals can be why."""

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.checks.unpreparing.vain import refused
from conformance.history import History

DRIVER = "gpu.example.com"
CLAIM = {"namespace": "n", "name": "c", "uid": "u"}


class Run:
    """What was seen of a run in which a check's claim was prepared, and its pod then deleted."""

    def __init__(self, tier: str = "observe", *, prepared: bool = True) -> None:
        self.history = History()
        self.history.record("check", id="a.check", phase="start", tier=tier)
        if prepared:
            self.answered("", method="NodePrepareResources")

    def answered(self, error: str, *, method: str = "NodeUnprepareResources", **more: Any) -> None:
        call: Mapping[str, Any] = {"code": "OK", "details": "", "source": "kubelet", **more}
        answer = {"claims": {"u": {"error": error, "devices": []}}}
        said = {"request": {"claims": [CLAIM]}, "response": answer, "seconds": 0.1}
        self.history.record("rpc", phase="end", method=method, driver=DRIVER, **said, **call)

    def refused(self, times: int = 3) -> "Run":
        for _ in range(times):
            self.answered("no")
        return self

    def forced_out(self, what: str = "pods", where: str = "n/p") -> list[str]:
        self.history.record("leak", check="a.check", claim="", what=what, where=where)
        return refused(self.history, DRIVER)


def test_a_claim_that_is_never_given_back_is_told_once() -> None:
    run = Run().refused()
    run.forced_out()
    assert run.forced_out(where="n/q") == ["a.check: claim c: no"]


def test_without_three_refusals_nobody_is_blamed() -> None:
    assert Run().refused(2).forced_out() == []


def test_what_comes_after_the_pod_was_given_up_mends_nothing() -> None:
    run = Run().refused()
    run.forced_out()
    run.answered("")
    assert len(refused(run.history, DRIVER)) == 1


def test_a_driver_that_did_better_while_it_was_waited_for_is_not_blamed() -> None:
    run = Run().refused()
    run.answered("")
    assert run.forced_out() == []


def test_a_pod_that_went_by_itself_is_no_reason_to_blame_anybody() -> None:
    assert refused(Run().refused().history, DRIVER) == []
    assert Run().refused().forced_out(what="resourceclaims") == []
    assert Run().refused().forced_out(where="elsewhere/p") == []


def test_a_claim_of_an_earlier_check_may_have_been_spoilt_by_it() -> None:
    assert Run(prepared=False).refused().forced_out() == []


def test_calls_of_a_check_itself_and_calls_without_an_answer_are_no_refusals() -> None:
    run = Run().refused(2)
    run.answered("no", source="check")
    run.answered("no", code="DEADLINE_EXCEEDED")
    assert run.forced_out() == []


def test_a_check_that_disturbs_the_driver_tells_nothing() -> None:
    assert Run("disrupt-driver").refused().forced_out() == []


@pytest.mark.parametrize(
    ("kind", "data"),
    [("disturb", {"action": "hide"}), ("error", {"where": "kubelet"}), ("request", {"code": 503})],
)
def test_what_else_went_wrong_meanwhile_may_be_why(kind: str, data: dict[str, Any]) -> None:
    run = Run()
    run.history.record(kind, **data)
    assert run.refused().forced_out() == []
