"""The history of a kept cluster does not fill the memory."""

import json
from pathlib import Path

import pytest

from conformance.up.recent import RecentHistory


def test_old_objects_are_on_disk_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecentHistory, "newest", 2)
    history = RecentHistory(tmp_path / "history.jsonl")
    history.record("api", object={"number": 1})
    history.record("kubelet", action="registered")
    history.record("api", object={"number": 2})
    history.record("api", object={"number": 3})
    history.close()
    assert [event["object"] for event in history.events("api")] == [None, {"number": 2}, {"number": 3}]
    registered = history.last("kubelet")
    assert registered
    assert (registered.seq, registered["action"]) == (1, "registered")
    rows = map(json.loads, (tmp_path / "history.jsonl").read_text().splitlines())
    assert [row["object"]["number"] for row in rows if row["kind"] == "api"] == [1, 2, 3]
