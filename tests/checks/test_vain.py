"""A driver is blamed for a pod that never ran only when nothing but its refusals can be why."""

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.checks.preparation.vain import refused
from conformance.history import History
from conformance.target import Target

TARGET = Target.load("reference")
DRIVER = TARGET.driver_name
BAD, GOOD = {"error": "no"}, {"error": "", "devices": []}


class Run:
    """What was seen of a run in which pod `p` waited for claim `c`, which has device `gpu-0`."""

    def __init__(self, tier: str = "observe") -> None:
        self.history = History()
        self.published()
        self.history.record("check", id="a.check", phase="start", tier=tier)

    def published(self, **more: Any) -> None:
        spec = {"driver": DRIVER, "pool": {"name": "n"}, "devices": [{"name": "gpu-0", **more}]}
        self._seen("resourceslices", {"metadata": {"name": "s"}, "spec": spec})

    def claim(self, uid: str = "c", pod: str = "p", parameters: Mapping[str, Any] | None = None) -> None:
        result = {"request": "device", "driver": DRIVER, "pool": "n", "device": "gpu-0"}
        status = {"allocation": {"devices": {"results": [result]}}, "reservedFor": [{"uid": pod}]}
        spec = TARGET.claim_spec(parameters=dict(parameters) if parameters else None)
        self._seen("resourceclaims", {"metadata": {"name": uid, "uid": uid}, "spec": spec, "status": status})

    def answered(
        self, entry: Mapping[str, Any], uid: str = "c", *, method: str = "NodePrepareResources", code: str = "OK"
    ) -> None:
        request = {"claims": [{"namespace": "n", "name": uid, "uid": uid}]}
        answer = {"claims": {uid: entry}} if code == "OK" else None
        call = {"method": method, "driver": DRIVER, "source": "kubelet", "request": request}
        self.history.record("rpc", phase="end", code=code, details="", response=answer, seconds=0.1, **call)

    def given_up(self) -> list[str]:
        self.history.record("vain", namespace="n", pod="p", uid="p")
        return refused(self.history, TARGET)

    def _seen(self, resource: str, obj: Mapping[str, Any]) -> None:
        self.history.record("api", type="ADDED", resource=resource, object=dict(obj))


def refused_run(run: Run | None = None, *answers: Mapping[str, Any]) -> Run:
    run = run or Run()
    run.claim()
    for answer in answers or (BAD, BAD, BAD):
        run.answered(answer)
    return run


def test_a_claim_that_is_refused_until_the_end_is_told() -> None:
    assert refused_run().given_up() == ["a.check: claim c on gpu-0: no"]


def test_without_three_refusals_nobody_is_blamed() -> None:
    assert refused_run(None, BAD, BAD).given_up() == []


def test_a_driver_that_did_better_is_not_blamed() -> None:
    assert refused_run(None, BAD, BAD, BAD, GOOD).given_up() == []


@pytest.mark.parametrize("code", ["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"])
def test_calls_without_an_answer_are_no_refusals(code: str) -> None:
    run = refused_run()
    run.answered({}, code=code)
    assert run.given_up() == []


def test_calls_that_end_in_an_error_of_the_driver_are_refusals() -> None:
    run = refused_run()
    run.answered({}, code="INTERNAL")
    assert len(run.given_up()) == 1


def test_a_check_that_disturbs_the_driver_tells_nothing() -> None:
    assert refused_run(Run("disrupt-driver")).given_up() == []


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("disturb", {"action": "hide"}),
        ("error", {"where": "scheduler"}),
        ("request", {"code": 500}),
        ("request", {"code": 403}),
    ],
)
def test_what_else_went_wrong_meanwhile_may_be_why(kind: str, data: dict[str, Any]) -> None:
    run = refused_run()
    run.history.record(kind, **data)
    assert run.given_up() == []


def test_a_claim_with_something_of_the_checks_own_may_be_why() -> None:
    run = Run()
    run.claim(parameters={"apiVersion": "a/v1", "kind": "K"})
    for _ in range(3):
        run.answered(BAD)
    assert run.given_up() == []


def test_claims_of_other_pods_do_not_count() -> None:
    run = Run()
    run.claim(pod="other")
    for _ in range(3):
        run.answered(BAD)
    assert run.given_up() == []


def test_a_device_that_is_tainted_meanwhile_may_be_refused() -> None:
    run = refused_run()
    run.published(taints=[{"key": "sick", "effect": "NoSchedule"}])
    assert run.given_up() == []


def test_a_device_that_another_claim_has_may_be_refused() -> None:
    run = Run()
    run.claim("earlier", "q")
    run.answered(GOOD, "earlier")
    assert refused_run(run).given_up() == []


def test_a_device_that_another_claim_has_given_back_may_not() -> None:
    run = Run()
    run.claim("earlier", "q")
    run.answered(BAD, "earlier")
    run.answered({"error": ""}, "earlier", method="NodeUnprepareResources")
    assert len(refused_run(run).given_up()) == 1
