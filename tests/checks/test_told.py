"""What the kubelet was told of a device, found in the history, and who is to blame when a pod does not show it."""

from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.health.test_sick_device import judge_unshown
from conformance.checks.health.told import listens, told
from conformance.expect import Expect
from conformance.history import History
from conformance.verdict import Inconclusive

KEY = ("pool", "gpu-0")


def message(history: History, health: str, *, id: str = "1", source: str = "kubelet", device: str = "gpu-0") -> None:
    row = {"device": {"pool_name": "pool", "device_name": device}, "health": health}
    stream(history, "message", id=id, source=source, response={"devices": [row]})


def stream(history: History, phase: str, *, id: str = "1", source: str = "kubelet", response: object = None) -> None:
    called = {"method": "NodeWatchResources", "driver": "d", "source": source, "id": id}
    history.record("rpc", phase=phase, response=response, **called)


def test_only_what_the_kubelet_heard_of_the_device_counts() -> None:
    history = History()
    message(history, "UNKNOWN")
    since = len(history)
    message(history, "HEALTHY")
    message(history, "UNHEALTHY", source="check")
    message(history, "UNHEALTHY", device="gpu-1")
    assert told(history, "d", KEY, since) == ["HEALTHY"]
    message(history, "UNHEALTHY")
    assert told(history, "d", KEY, since) == ["HEALTHY", "UNHEALTHY"]


def test_a_kubelet_whose_stream_has_ended_hears_nothing() -> None:
    history = History()
    assert not listens(history, "d")
    stream(history, "start")
    assert listens(history, "d")
    stream(history, "end")
    stream(history, "start", id="2", source="check")
    assert not listens(history, "d")


def judged(history: History, *, sees_calls: bool = True) -> list[bool]:
    """Whether HLT-02 holds where a pod does not show that its device is sick."""
    parts = {"history": history, "target": SimpleNamespace(driver_name="d")}
    cluster: Any = SimpleNamespace(**parts, node=SimpleNamespace(sees_calls=sees_calls))
    expect = Expect(("HLT-02",))
    judge_unshown(cluster, KEY, 0, expect)
    return [finding.holds for finding in expect.findings]


def test_a_kubelet_that_was_told_and_does_not_show_it_is_no_fault_of_the_driver() -> None:
    history = History()
    message(history, "UNHEALTHY")
    with pytest.raises(Inconclusive, match="the kubelet was told"):
        judged(history)


def test_a_driver_that_tells_others_and_not_the_kubelet_is_found() -> None:
    history = History()
    message(history, "HEALTHY")
    message(history, "UNHEALTHY", id="2", source="check")
    assert judged(history) == [False]


def test_nobody_is_blamed_where_the_kubelet_listens_to_nobody_or_cannot_be_heard() -> None:
    with pytest.raises(Inconclusive, match="is not seen"):
        judged(History())
    history = History()
    message(history, "HEALTHY")
    with pytest.raises(Inconclusive, match="is not seen"):
        judged(history, sees_calls=False)
