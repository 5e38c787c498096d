"""What is kept of mutants on real nodes."""

from pathlib import Path

from tests.mutants.mutant import all_mutants
from tests.mutants.on_kind import able
from tests.mutants.seen import Seen, read_seen, write_seen


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rows = {"M02": Seen("2026-01-31", 60, ("a.one", "b.two")), "M01": Seen("2026-02-01", 50, (), ("found by nothing",))}
    write_seen(rows, tmp_path / "seen.yaml")
    assert read_seen(tmp_path / "seen.yaml") == rows
    assert read_seen(tmp_path / "none.yaml") == {}


def test_what_is_kept_is_of_mutants_that_are_there_and_were_found_by_their_checks() -> None:
    there = {mutant.name: mutant for mutant in able(all_mutants())}
    kept = read_seen()
    assert set(kept) <= set(there)
    # One of several may be unable to judge there: nodes of kind have no boot id of their own.
    missed = [name for name, seen in kept.items() if not set(there[name].caught_by) & set(seen.found)]
    assert missed == []
    assert {name: seen.wrong for name, seen in kept.items() if seen.wrong} == {}
