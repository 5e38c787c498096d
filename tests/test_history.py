"""The history keeps the order of events, wakes those who wait, and keeps secrets off the disk."""

import json
import threading
from pathlib import Path

from conformance.history import History


def test_events_are_kept_in_order() -> None:
    history = History()
    for n in range(3):
        history.record("disturb", n=n)
    assert [(e.seq, e["n"]) for e in history.events("disturb", since=1)] == [(1, 1), (2, 2)]


def test_a_wait_ends_when_the_event_comes() -> None:
    history = History()
    threading.Timer(0.02, lambda: history.record("kubelet", action="registered")).start()
    found = history.wait("kubelet", lambda e: e["action"] == "registered", timeout=5)
    assert found is not None


def test_a_wait_that_is_in_vain_gives_none() -> None:
    assert History().wait("kubelet", timeout=0.01) is None


def test_secrets_do_not_reach_the_disk(tmp_path: Path) -> None:
    history = History(tmp_path / "history.jsonl")
    history.record("api", object={"kind": "Secret", "data": {"x": "c2VjcmV0"}}, token="abc")
    history.close()
    row = json.loads((tmp_path / "history.jsonl").read_text())
    assert row["object"]["data"] == "[redacted]"
    assert row["token"] == "[redacted]"


def test_events_from_many_threads_all_arrive() -> None:
    history = History()
    threads = [threading.Thread(target=lambda: [history.record("x") for _ in range(100)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in history.events()] == list(range(400))


def test_long_texts_are_cut(tmp_path: Path) -> None:
    history = History(tmp_path / "history.jsonl")
    event = history.record("rpc", response={"claims": [{"error": "x" * 3_000_000}]}, details="short")
    history.close()
    row = json.loads((tmp_path / "history.jsonl").read_text())
    assert row["response"] == event["response"]
    assert row["response"]["claims"][0]["error"] == "x" * 16_384 + "… 2983616 more characters"
    assert row["details"] == "short"
