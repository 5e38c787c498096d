"""`dra-conformance index check`: which submissions can be shown, and one sentence for each thing that is wrong."""

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.history import HISTORY_FILE
from conformance.index import metadata
from conformance.index.entry import Entry
from conformance.index.layout import METADATA_FILE, PACKED_FILE, Place, misplaced, place_of, places
from conformance.index.pages import report_page
from conformance.index.private import LONGEST, longest, private
from conformance.index.unpacking import UnpackError, unpacked
from conformance.report.model import Report
from conformance.report.store import REPORT_FILE, ReportError, parse, read
from conformance.report.verify import Suite, verify

_EARLIEST = 1_577_836_800.0  # 2020, before there was anything to run
_AHEAD = 86_400.0  # seconds that a clock may be wrong


@dataclass(frozen=True)
class Checked:
    """What came out: submissions by driver, version and run; problems, one sentence each."""

    entries: Sequence[Entry]
    problems: Sequence[str]


def check(index: Path, suite: Suite) -> Checked:
    """Look at every submission of an index."""
    found, unplaced = places(index)
    problems = [_in_a_line(problem) for problem in unplaced]
    entries: list[Entry] = []
    known: dict[str, Place] = {}
    for place in sorted(found):
        entry, wrong = check_one(index, place, suite)
        seal = entry.report.footer.report if entry and entry.report.footer else ""
        if entry and seal in known:
            wrong = [f"{place.name}: is the report of {known[seal].name} once more; remove one of them"]
        elif entry:
            known[seal] = place
            entries.append(entry)
        problems += wrong
    return Checked(entries, problems)


def check_one(index: Path, place: Place, suite: Suite) -> tuple[Entry | None, list[str]]:
    """A submission, or what is wrong with it, each in one line whatever is in it."""
    entry, problems = _looked_at(index, place, suite)
    return entry, [_in_a_line(problem) for problem in problems]


def _in_a_line(problem: str) -> str:
    return " ".join(problem.split())


def _looked_at(index: Path, place: Place, suite: Suite) -> tuple[Entry | None, list[str]]:
    problems = list(misplaced(place))
    if problems:
        return None, problems
    given, wrong = metadata.read(place.folder / METADATA_FILE)
    problems = [f"{place.name}/{METADATA_FILE}:{said}" for said in wrong]
    try:
        with unpacked(place) as folder:
            entry, wrong = _judged(folder, index, place, given, suite)
    except UnpackError as error:
        return None, [*problems, f"{place.name}/{PACKED_FILE}: {error}"]
    except Exception as error:
        # Whatever somebody submits, the others are looked at.
        said = (str(error).splitlines() or [""])[0]
        return None, [
            *problems,
            f"{place.name}: cannot be judged or shown ({type(error).__name__}: {said}); submit another run",
        ]
    problems += wrong
    return (None, problems) if problems else (entry, [])


def _judged(
    folder: Path, index: Path, place: Place, given: metadata.Metadata | None, suite: Suite
) -> tuple[Entry | None, list[str]]:
    try:
        value = read(folder)
        bloated = _bloated(value, folder / HISTORY_FILE, place)
        if bloated:
            return None, [bloated]
        report = parse(folder, value)
    except ReportError as error:
        return None, [_here(str(error), folder, place)]
    verified = verify(folder, suite)
    problems = [_here(problem, folder, place) for problem in verified.problems]
    problems += _leaks(value, folder / HISTORY_FILE, place)
    times = list(_times(report))
    problems += [f"{place.name}/{REPORT_FILE}: {said}" for said in times]
    if given:
        problems += [f"{place.name}/{METADATA_FILE}:1: {said}" for said in _version(report, given.version)]
    if given and not times and (report.driver.version or given.version):
        problems += _elsewhere(index, place, report, given.version)
    if problems or given is None:
        return None, problems
    entry = Entry(place, given, verified, report, suite.digest == report.suite.digest)
    report_page(entry, folder)  # what cannot be shown is refused here, not when the site is made
    return entry, []


def _here(problem: str, folder: Path, place: Place) -> str:
    """A problem of a report that was unpacked, told of the place where it lies."""
    return problem.replace(f"{folder}/", f"{place.name}/")


def _bloated(report: dict[str, Any], history: Path, place: Place) -> str:
    """Told before anything else is done with texts that no run writes, as that could take hours."""
    if longest(report) > LONGEST:
        return f"{place.name}/{REPORT_FILE}: holds a text of more than {LONGEST} characters, which no run writes"
    with history.open(encoding="utf-8", errors="backslashreplace") as lines:
        for number, line in enumerate(lines):
            if len(line) > LONGEST and longest(_json(line)) > LONGEST:
                return f"{place.name}/{PACKED_FILE}: event {number} holds a text of more than {LONGEST} characters"
    return ""


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line


def _leaks(report: dict[str, Any], history: Path, place: Place) -> Iterator[str]:
    """What must not be published; of a history only the first event that has any."""
    what = private(report)
    if what:
        yield f"{place.name}/{REPORT_FILE}: holds {what}; {_mend(what)}"
    with history.open(encoding="utf-8", errors="backslashreplace") as lines:
        for number, line in enumerate(lines):
            try:
                what = private(json.loads(line))
            except ValueError:
                return  # verify says that
            if what:
                yield f"{place.name}/{PACKED_FILE}: event {number} holds {what}; {_mend(what)}"
                return


def _mend(what: str) -> str:
    if "home" in what:
        return "`dra-conformance index add` takes it out"
    return "submit a run without it, and make the secret invalid, as it was sent"


def _times(report: Report) -> Iterator[str]:
    for name, value in (("started", report.started), ("finished", report.finished)):
        if value is not None and not (math.isfinite(value) and _EARLIEST < value < time.time() + _AHEAD):
            yield f"has {name} as {value:g}, which is no time at which it can have run"


def _version(report: Report, version: str) -> Iterator[str]:
    """What is wrong with the version that a submitter gives."""
    if not report.driver.version and not version:
        yield "version is missing, as the report has none; add it"
    if report.driver.version and version not in ("", report.driver.version):
        yield f"version is {version}, and the report is of {report.driver.version}; remove it"


def _elsewhere(index: Path, place: Place, report: Report, version: str) -> Iterator[str]:
    right = place_of(index, report, version)
    if right != place:
        yield f"{place.name}: by its report it belongs in {right.name}; move it there"
