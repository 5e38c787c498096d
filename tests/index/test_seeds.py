"""Runs that tests keep are those that the index of the drivers at hand takes."""

from pathlib import Path

import pytest

from conformance.identity import suite_digest
from conformance.target import Target
from tests.index.seeds import SEEDS, Seed
from tests.report.recorded import copied, edit
from tests.repository.sources import ROOT
from tests.whole_runs import keep, kept


def test_a_run_is_kept_in_the_place_of_the_one_before(
    bad_run: Path, good_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRA_RUNS", str(tmp_path / "runs"))
    for run in (bad_run, good_run):
        keep(run)
    (place,) = (tmp_path / "runs").iterdir()
    assert sorted(path.name for path in place.iterdir()) == ["history.jsonl", "report.json"]
    assert (place / "report.json").read_bytes() == (good_run / "report.json").read_bytes()


def test_runs_of_this_suite_are_taken_only(good_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRA_RUNS", str(tmp_path / "runs"))
    keep(good_run)
    (found,) = kept(tmp_path / "runs", suite_digest()).values()
    assert [folder.name.rpartition("-")[2] for folder in found] == ["embedded"]
    keep(edit(copied(good_run, tmp_path), lambda value: value["suite"].update(digest="of another")))
    assert kept(tmp_path / "runs", suite_digest()) == {}


def test_what_was_cut_short_is_not_taken(good_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRA_RUNS", str(tmp_path / "runs"))
    keep(edit(copied(good_run, tmp_path), lambda value: value.update(outcome="interrupted")))
    assert kept(tmp_path / "runs", suite_digest()) == {}


def test_nothing_is_kept_where_nobody_asks(good_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRA_RUNS", raising=False)
    keep(good_run)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.driver)
def test_drivers_at_hand_are_there(seed: Seed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert Target.load(seed.driver, process=False).driver_name
