"""What a run has recorded, read for the page: each check's part, and nothing that is not there."""

import json
from pathlib import Path
from typing import Any

from conformance.parts import RESUMED
from conformance.report.drawers import Room, evidence
from conformance.report.html import html
from conformance.report.objects import changes
from conformance.report.recorded import recorded
from conformance.report.store import load
from conformance.report.timeline import timeline
from conformance.report.transcript import calls
from tests.report import samples
from tests.report.conftest import CHECKS

FAILED = "preparation.repeat_same_devices"


def write(folder: Path, *rows: dict[str, Any], end: str = "") -> Path:
    lines = [json.dumps({"seq": seq, "time": 100.0 + seq, **row}) for seq, row in enumerate(rows)]
    (folder / "history.jsonl").write_text("\n".join(lines) + "\n" + end)
    return folder


def phase(id: str, phase: str, worker: str = "") -> dict[str, Any]:
    return {"kind": "check", "id": id, "phase": phase, "worker": worker}


def test_each_check_of_a_real_run_has_its_events(real_run: Path) -> None:
    known = recorded(real_run)
    ran = [result.id for result in load(real_run).checks if result.verdict != "BLOCKED"]
    assert set(ran) <= set(known.of_check)
    assert {event["check"] for event in known.of_check[FAILED] if event.kind == "expect"} == {FAILED}


def test_checks_of_two_workers_are_told_apart(tmp_path: Path) -> None:
    rows = (phase("a.a", "start", "gw0"), phase("b.b", "start", "gw1"), {"kind": "rpc", "worker": "gw1"})
    known = recorded(write(tmp_path, *rows, phase("a.a", "end", "gw0"), phase("b.b", "end", "gw1")))
    assert {id: len(events) for id, events in known.of_check.items()} == {"a.a": 2, "b.b": 3}


def test_a_cut_line_and_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    known = recorded(write(tmp_path, phase("a.a", "start"), end='{"seq": 1, "ti\n7\n[]\n{"seq": 1}\n'))
    assert [event.seq for event in known.events] == [0]


def test_a_folder_without_a_history_has_nothing(tmp_path: Path) -> None:
    assert recorded(tmp_path).events == ()
    assert recorded(None).text("report.json") == ""


def test_files_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret.log").write_text("sesame")
    assert recorded(tmp_path / "inner").text("../secret.log") == ""
    (tmp_path / "inner" / "link.log").symlink_to(tmp_path / "secret.log")
    assert recorded(tmp_path / "inner").text("link.log") == ""


def test_the_transcript_of_a_real_check_has_who_called_what_came_back_and_what_failed(real_run: Path) -> None:
    seen = list(calls(recorded(real_run).of_check[FAILED]))
    assert any(call.line.startswith("NodePrepareResources: OK") and not call.bad for call in seen)
    assert any("NodePrepareResources by the check: ALREADY_EXISTS" in call.line and call.bad for call in seen)


def test_a_claim_is_shown_whole_once_and_then_as_what_changed(real_run: Path) -> None:
    of_claim = [
        change for change in changes(recorded(real_run).of_check[FAILED]) if "ResourceClaim dra-" in change.what
    ]
    assert {sign for sign, _ in of_claim[0].lines} == {"+"}
    allocated = next(change for change in of_claim[1:] if any("allocation:" in text for _, text in change.lines))
    assert len(allocated.lines) < len(of_claim[0].lines) + 30
    assert "managedFields" not in str(of_claim)


def test_the_timeline_of_a_real_run_has_all_lanes_within_its_width(real_run: Path) -> None:
    drawn = timeline(recorded(real_run).events)
    assert drawn is not None
    assert [lane.name for lane in drawn.lanes] == ["Checks", "Driver", "Kubelet", "Calls", "API", "Claims"]
    bars = [bar for lane in drawn.lanes for row in lane.rows for bar in row]
    assert min(drawn.x(bar.start) for bar in bars) >= drawn.x(drawn.start)
    assert max(drawn.x(bar.end) for bar in bars) <= drawn.x(drawn.end)
    assert [bar.title.partition(": ")[2] for bar in drawn.lanes[0].rows[0]].count("FAIL") == 1
    assert "Checks 4" in drawn.summary or f"Checks {len(CHECKS) - 1}" in drawn.summary


def test_a_driver_that_lived_before_is_drawn_from_the_beginning(tmp_path: Path) -> None:
    gone = {"kind": "process", "phase": "exited", "pid": 7, "node": "a", "name": "d", "status": 0}
    drawn = timeline(recorded(write(tmp_path, phase("a.a", "start"), gone, phase("a.a", "end"))).events)
    assert drawn is not None
    assert [(bar.start, bar.end) for bar in drawn.lanes[1].rows[0]] == [(100.0, 101.0)]


def test_what_lived_when_a_run_was_interrupted_is_drawn_to_its_end(tmp_path: Path) -> None:
    """What goes on later has processes, and a try at the same check, of its own."""
    started = {"kind": "process", "phase": "started", "pid": 7, "node": "a", "name": "d"}
    part = (phase("a.a", "start"), started)
    known = recorded(write(tmp_path, *part, RESUMED, *part, phase("a.a", "end")))
    drawn = timeline(known.events)
    assert drawn is not None
    assert [[(bar.start, bar.end) for bar in lane.rows[0]] for lane in drawn.lanes] == [
        [(100.0, 101.0), (103.0, 105.0)],
        [(101.0, 101.0), (104.0, 105.0)],
    ]
    assert [event.seq for event in known.of_check["a.a"]] == [3, 4, 5]


def test_evidence_that_is_not_as_expected_does_not_cost_the_page(tmp_path: Path) -> None:
    broken = {"kind": "api", "type": "ADDED", "resource": "pods", "object": 7}
    failed = samples.broken_check()
    folder = write(tmp_path, phase(failed.id, "start"), broken, phase(failed.id, "end"))
    assert "could not be shown" in html(samples.report(checks=[failed]), folder)


def test_two_hundred_failures_with_the_evidence_of_a_real_one_stay_below_3_mb(real_run: Path) -> None:
    failed = next(result for result in load(real_run).checks if result.id == FAILED)
    text = html(samples.report(checks=[failed] * 200), real_run)
    assert len(text.encode()) < 3_000_000
    assert "There is no room left on this page for its evidence" in text


def test_a_page_has_room_for_so_much_evidence_and_says_what_it_cut(tmp_path: Path) -> None:
    failed = samples.broken_check()
    log = tmp_path / failed.evidence[1]
    log.parent.mkdir(parents=True)
    log.write_text("\n".join(f"line {number}" for number in range(20_000)))
    seen = evidence(failed, recorded(tmp_path), Room())
    name, text = seen.logs[0]
    assert name == "driver.log"
    assert text.startswith("… cut here")
    assert text.endswith("line 19999")
    assert len(text) < 17_000
    assert "no room left" in evidence(failed, recorded(tmp_path), Room(left=0)).trouble
