"""The report's folder is one run's alone, and shows no verdict of another."""

import json
from pathlib import Path

import pytest

from conformance.session.merge import merge_histories
from conformance.session.reportdir import ReportDir


def test_a_second_run_goes_to_a_folder_beside_it(tmp_path: Path) -> None:
    first = ReportDir.claim(tmp_path / "report")
    second = ReportDir.claim(tmp_path / "report")
    assert second.path == tmp_path / "report-2"
    assert "in use by another run" in second.note
    first.close()
    third = ReportDir.claim(tmp_path / "report")
    assert third.path == tmp_path / "report"
    second.close()
    third.close()


def test_an_earlier_report_is_removed_and_nothing_else(tmp_path: Path) -> None:
    earlier = ReportDir.claim(tmp_path)
    earlier.begin()
    for name in ("report.json", "index.html", "history.jsonl", "history-gw0.jsonl", "mine.txt"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "evidence" / "a.b").mkdir(parents=True)
    earlier.close()
    later = ReportDir.claim(tmp_path)
    later.begin()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "mine.txt"]
    later.close()


def test_folders_of_others_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "case.txt").write_text("mine")
    report_dir = ReportDir.claim(tmp_path)
    with pytest.raises(pytest.UsageError, match="has other files in it"):
        report_dir.begin()
    report_dir.close()
    assert (tmp_path / "evidence" / "case.txt").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pytest.UsageError, match="cannot be written"):
        ReportDir.claim(tmp_path / "file" / "report")


def test_histories_of_workers_become_one_in_order_of_time(tmp_path: Path) -> None:
    rows = {"gw0": [(0, 1.0), (1, 3.0)], "gw1": [(0, 2.0)]}
    for worker, events in rows.items():
        text = "".join(json.dumps({"seq": seq, "time": time, "kind": "check"}) + "\n" for seq, time in events)
        (tmp_path / f"history-{worker}.jsonl").write_text(text + '{"seq": 9, "ti')
    merge_histories(tmp_path)
    merged = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert [(row["seq"], row["time"], row["worker"]) for row in merged] == [(0, 1, "gw0"), (1, 2, "gw1"), (2, 3, "gw0")]
    assert [path.name for path in tmp_path.iterdir()] == ["history.jsonl"]
