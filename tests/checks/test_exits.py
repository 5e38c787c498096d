"""Which ends of a driver's process are its own doing."""

from typing import Any

from conformance.checks.restart.exits import exits
from conformance.history import Event

DRIVER = "d.example.com"


def event(kind: str, **data: Any) -> Event:
    return Event(0, 0.0, kind, {"name": DRIVER, "pid": 7, **data} if kind == "process" else data)


START = event("check", id="preparation.one_claim", phase="start", tier="observe")


def test_an_end_that_nobody_asked_for() -> None:
    [found] = exits([START, event("process", phase="exited", status=1)], DRIVER)
    assert found.undisturbed
    assert str(found) == "ended with status 1 during preparation.one_claim"


def test_an_end_after_a_signal_is_expected() -> None:
    events = [START, event("process", phase="signalled", signal="SIGKILL"), event("process", phase="exited", status=-9)]
    assert exits(events, DRIVER) == []


def test_an_end_while_the_node_was_disturbed() -> None:
    disturbing = event("check", id="publishing.republish", phase="start", tier="disrupt-node")
    [found] = exits([disturbing, event("process", phase="exited", status=1)], DRIVER)
    assert not found.undisturbed


def test_other_processes_do_not_count() -> None:
    assert exits([START, event("process", phase="exited", status=1, name="etcd")], DRIVER) == []
