"""A check that looks at the whole run is run again over its history, without a cluster."""

from pathlib import Path
from typing import Any

import pytest

from conformance.history import History
from conformance.parts import RESUMED
from conformance.rejudge import rejudged
from conformance.report.derive import Derived, derive, rows
from conformance.session.merge import merge_histories
from conformance.target import Target
from conformance.verdict import Verdict

CHECK = "preparation.every_answer"
COVERS = ["PREP-01", "PREP-02", "PREP-09", "PREP-10", "PREP-11"]
DRIVER = "gpu.example.com"


def answer(history: History, *uids: str, cdi: str = "example.com/gpu=0") -> None:
    """The driver answers a call of the kubelet for the claim `one`, with entries for these claims."""
    device = {"pool_name": "node-a", "device_name": "gpu-0", "request_names": ["device"], "cdi_device_ids": [cdi]}
    history.record(
        "rpc",
        phase="end",
        method="NodePrepareResources",
        driver=DRIVER,
        source="kubelet",
        code="OK",
        request={"claims": [{"namespace": "a", "name": "claim", "uid": "one"}]},
        response={"claims": {uid: {"devices": [device]} for uid in uids}},
        seconds=0.1,
    )


def judged(history: History) -> None:
    """The check at the end has seen nothing wrong."""
    history.record("check", id=CHECK, phase="start", tier="observe", node_id="test.py::test", covers=COVERS)
    for requirement in COVERS:
        finding = {"level": "MUST", "sentence": "it holds", "holds": True, "got": [], "want": []}
        history.record("expect", check=CHECK, requirement=requirement, **finding)
    history.record("check", id=CHECK, phase="call")
    history.record("check", id=CHECK, phase="end", verdict="PASS")


def again(file: Path) -> Derived:
    """The check as it is judged once more."""
    events: list[dict[str, Any]] = list(rows(file))
    *_, check = rejudged(derive(events), events, Target.load("reference"), ["node-a"])
    assert check.told is Verdict.PASS
    return check


@pytest.mark.parametrize(
    ("uids", "cdi", "verdict", "broken"),
    [
        (["one"], "example.com/gpu=0", Verdict.PASS, []),
        ([], "example.com/gpu=0", Verdict.FAIL, ["PREP-01"]),
        (["one", "two"], "example.com/gpu=0", Verdict.FAIL, ["PREP-02"]),
        (["one"], "gpu-0", Verdict.FAIL, ["PREP-09"]),
    ],
)
def test_what_the_run_held_is_judged(
    uids: list[str], cdi: str, verdict: Verdict, broken: list[str], tmp_path: Path
) -> None:
    history = History(tmp_path / "history.jsonl")
    answer(history, *uids, cdi=cdi)
    judged(history)
    history.close()
    check = again(tmp_path / "history.jsonl")
    assert check.verdict is verdict
    assert [finding.requirement for finding in check.findings if not finding.holds] == broken


def test_what_came_after_the_check_is_not(tmp_path: Path) -> None:
    history = History(tmp_path / "history.jsonl")
    answer(history, "one")
    judged(history)
    answer(history)
    history.close()
    assert again(tmp_path / "history.jsonl").verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("ended", "verdict"), [(True, Verdict.FAIL), (False, Verdict.PASS)], ids=["of a check that ended", "of another"]
)
def test_what_was_before_a_run_was_gone_on_with_is_judged(ended: bool, verdict: Verdict, tmp_path: Path) -> None:
    """By itself, and as far as checks came to their ends: nobody cleaned up after the one that was interrupted."""
    history = History(tmp_path / "history.jsonl")
    history.record("check", id="a.b", phase="start", tier="observe", node_id="test.py::test_b", covers=[])
    answer(history, "one", cdi="gpu-0")
    if ended:
        history.record("check", id="a.b", phase="end", verdict="INCONCLUSIVE")
    history.record(**RESUMED)
    answer(history, "one")
    judged(history)
    history.close()
    check = again(tmp_path / "history.jsonl")
    assert check.verdict is verdict


def test_what_other_workers_have_seen_is_judged_too(tmp_path: Path) -> None:
    """Each history for itself, the other one to the end of its last check."""
    parts = {name: History(tmp_path / f"history-{name}.jsonl") for name in ("gw0", "gw1")}
    other = {"id": "restart.recovers", "tier": "disrupt-driver", "node_id": "test.py::other", "covers": []}
    parts["gw1"].record("check", phase="start", **other)
    answer(parts["gw1"], "one", cdi="gpu-0")
    parts["gw1"].record("check", id=other["id"], phase="call")
    parts["gw1"].record("check", id=other["id"], phase="end", verdict="PASS")
    answer(parts["gw1"])
    judged(parts["gw0"])
    for part in parts.values():
        part.close()
    merge_histories(tmp_path)
    events: list[dict[str, Any]] = list(rows(tmp_path / "history.jsonl"))
    _, check = rejudged(derive(events), events, Target.load("reference"), ["node-a"])
    assert check.verdict is Verdict.FAIL
    assert [finding.requirement for finding in check.findings if not finding.holds] == ["PREP-09"]


def test_a_run_that_holds_nothing_to_look_at_is_inconclusive(tmp_path: Path) -> None:
    history = History(tmp_path / "history.jsonl")
    judged(history)
    history.close()
    assert again(tmp_path / "history.jsonl").verdict in (Verdict.INCONCLUSIVE, Verdict.NOT_RUN)


def test_every_check_of_the_end_can_be_run_again(tmp_path: Path) -> None:
    """Whatever it asks for is there; without events none of them has anything to break."""
    from conformance.catalogue import all_checks
    from conformance.rejudge import _again

    ends = [entry for entry in all_checks().values() if entry.check.at_end]
    assert len(ends) >= 7
    for entry in ends:
        known = Derived(entry.check.id, "", "", list(entry.check.covers), "observe")
        check = _again(known, entry, [[History()]], Target.load("reference"), ["node-a"])
        assert check.verdict is not Verdict.FAIL, entry.check.id
