"""`make mutants`: every wrong driver against all checks, every right one too; the kill matrix, and a line of counts.

    python -m tests.mutants [FAULT…] [--missing] [--workers=N] [--write=FILE]

Exit status 1 when a wrong driver survives or is found for something else, or a right one is blamed. A row of the page
is written as soon as there is one, so that a run which is ended loses nothing, and `--missing` goes on.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.at_once import results
from tests.good_drivers.design import Design, all_designs
from tests.mutants.kills import complaints, killers, whole_run
from tests.mutants.matrix import Row, page, read_rows, row_of
from tests.mutants.mutant import Mutant, all_mutants
from tests.variants import Judged, judge


@dataclass(frozen=True)
class Tried:
    """A driver, what its run said, and what is not as it should be, a sentence each."""

    driver: Mutant | Design
    judged: Mapping[str, Judged]
    complaints: Sequence[str]
    seconds: float

    def line(self) -> str:
        """For the terminal."""
        found = ", ".join(sorted(killers(self.judged))) or "nothing"
        wrong = "".join(f"\n    {text}" for text in self.complaints)
        return f"{'NOT AS IT SHOULD BE' if wrong else 'ok':4} {self.driver.name} {self.seconds:.0f} s: {found}{wrong}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="faults and right designs to try; all when none is named")
    parser.add_argument("--workers", type=int, default=2 * (os.cpu_count() or 1) + 1, help="runs at once (%(default)s)")
    parser.add_argument("--write", type=Path, help="page to write; it keeps what it says of others")
    parser.add_argument("--missing", action="store_true", help="leave out what that page says something of")
    options = parser.parse_args(arguments)
    drivers: list[Mutant | Design] = [*all_mutants(), *all_designs()]
    chosen = [driver for driver in drivers if not options.names or driver.name in options.names]
    unknown = set(options.names) - {driver.name for driver in drivers}
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; known are {', '.join(d.name for d in drivers)}")
    if options.missing:
        chosen = [driver for driver in chosen if driver.name not in _known(options.write)]
    tried = _try_all(chosen, options.workers, options.write)
    sys.stdout.write(f"{_counts(tried)}\n")
    return int(any(row.complaints for row in tried))


def _known(page_file: Path | None) -> dict[str, Row]:
    return read_rows(page_file.read_text(encoding="utf-8")) if page_file and page_file.exists() else {}


def _write(path: Path, tried: Tried) -> None:
    if isinstance(tried.driver, Mutant) and tried.judged:
        known = _known(path) | {tried.driver.name: row_of(tried.driver, tried.judged)}
        rows = [known[mutant.name] for mutant in all_mutants() if mutant.name in known]
        path.write_text(page(rows), encoding="utf-8")


def _try_all(drivers: Sequence[Mutant | Design], workers: int, page_file: Path | None) -> list[Tried]:
    done: dict[str, Tried] = {}
    with (
        tempfile.TemporaryDirectory(prefix="dc-mutants-") as folder,
        results(partial(_try, folder=Path(folder)), drivers, workers) as rows,
    ):
        for _, row in rows:
            done[row.driver.name] = row
            if page_file:
                _write(page_file, row)
            sys.stdout.write(f"[{len(done)}/{len(drivers)}] {row.line()}\n")
            sys.stdout.flush()
    return [done[driver.name] for driver in drivers]


def _try(driver: Mutant | Design, folder: Path) -> Tried:
    began = time.monotonic()
    own = folder / driver.name
    own.mkdir()
    file = driver.write_driver_file(own)
    try:
        judged = judge(file, own / "report", *(whole_run(driver) if isinstance(driver, Mutant) else ()))
    except AssertionError as error:  # no report
        return Tried(driver, {}, [str(error).strip().splitlines()[-1]], time.monotonic() - began)
    wrong = complaints(driver, judged, whole=True) if isinstance(driver, Mutant) else driver.complaints(file, judged)
    if isinstance(driver, Mutant):
        judged = {id: row for id, row in judged.items() if id not in driver.own}
    return Tried(driver, judged, wrong, time.monotonic() - began)


def _counts(tried: Sequence[Tried]) -> str:
    mutants = [row for row in tried if isinstance(row.driver, Mutant)]
    right = [row for row in tried if isinstance(row.driver, Design)]
    survived = [row.driver.name for row in mutants if not killers(row.judged)]
    parts = [
        f"{len(mutants)} wrong drivers: {len(mutants) - len(survived)} killed, {len(survived)} survived",
        f"{sum(bool(row.complaints) for row in mutants)} not killed as said",
        f"{len(right)} right drivers: {sum(bool(row.complaints) for row in right)} blamed or not judged",
    ]
    return ", ".join(parts) + (f" · survivors: {', '.join(survived)}" if survived else "")


if __name__ == "__main__":
    raise SystemExit(main())
