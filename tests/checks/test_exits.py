"""Which ends of a driver's process are its own doing."""

from typing import Any

from conformance.checks.restart.exits import exits
from conformance.history import Event

DRIVER = "d.example.com"


def event(kind: str, **data: Any) -> Event:
    return Event(0, 0.0, kind, {"name": DRIVER, "pid": 7, **data} if kind == "process" else data)


START = event("check", id="preparation.one_claim", phase="start", tier="observe")
DISTURBING = event("check", id="publishing.republish", phase="start", tier="disrupt-node")
STARTED = event("process", phase="started")
EXITED = event("process", phase="exited", status=1)


def test_an_end_that_nobody_asked_for() -> None:
    [found] = exits([START, STARTED, EXITED], DRIVER)
    assert found.undisturbed
    assert str(found) == "ended with status 1 during preparation.one_claim"


def test_an_end_after_a_signal_is_expected() -> None:
    signalled = event("process", phase="signalled", signal="SIGKILL")
    assert exits([START, STARTED, signalled, event("process", phase="exited", status=-9)], DRIVER) == []


def test_an_end_while_the_node_was_disturbed() -> None:
    [found] = exits([START, STARTED, DISTURBING, EXITED], DRIVER)
    assert not found.undisturbed


def test_an_end_after_the_node_was_disturbed() -> None:
    [found] = exits([START, STARTED, DISTURBING, START, START, EXITED], DRIVER)
    assert not found.undisturbed, "a driver may end some time after another kubelet has registered it"


def test_a_process_started_anew_is_judged_again() -> None:
    found = exits([STARTED, DISTURBING, EXITED, START, STARTED, EXITED], DRIVER)
    assert [end.undisturbed for end in found] == [False, True]


def test_other_processes_do_not_count() -> None:
    other = event("process", phase="started", name="etcd"), event("process", phase="exited", status=1, name="etcd")
    assert exits([START, *other], DRIVER) == []
