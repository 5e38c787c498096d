"""`dra-conformance index add`: a submission made of the folder of a run."""

import json
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from conformance.history import HISTORY_FILE
from conformance.index.checking import check_one
from conformance.index.entry import Entry
from conformance.index.layout import METADATA_FILE, PACKED_FILE, place_of
from conformance.index.metadata import Metadata, write
from conformance.index.private import masked
from conformance.index.unpacking import pack
from conformance.report.footer import file_digest, report_digest
from conformance.report.model import Report
from conformance.report.store import REPORT_FILE, parse, read
from conformance.report.verify import Suite, verify


class AddError(Exception):
    """A run cannot be submitted; the text is one sentence for each reason. `unsound`: whether that is its report."""

    def __init__(self, *problems: str, unsound: bool = True) -> None:
        super().__init__("\n".join(problems))
        self.unsound = unsound


def add(run: Path, index: Path, metadata: Metadata, suite: Suite) -> Entry:
    """Copy a run into the index: its report, its history packed, and who submits it.

    Names of home folders become as many x, and the report is sealed anew. Raises AddError, and ReportError where there
    is no report.
    """
    verified = verify(run, suite)
    if not verified.sound or verified.report is None:
        raise AddError(*verified.problems)
    known = verified.report.driver.version
    if known and metadata.version not in ("", known):
        both = f"version {metadata.version} of the driver was given, and the report is of {known}"
        raise AddError(f"{both}; leave --driver-version out", unsound=False)
    with tempfile.TemporaryDirectory(prefix="dra-index-") as name:
        scratch = Path(name)
        report = _without_homes(run if run.is_dir() else run.parent, scratch)
        given = replace(metadata, reproduce=metadata.reproduce or repeated(report))
        if known:
            given = replace(given, version="")
        write(given, scratch / METADATA_FILE)
        place = place_of(index, report, given.version)
        if place.folder.exists():
            raise AddError(f"{place.folder}: is there already; remove it to replace it", unsound=False)
        _copy(scratch, place.folder, index)
    entry, problems = check_one(index, place, suite)
    if entry is None:
        shutil.rmtree(place.folder)
        raise AddError(*problems)
    return entry


def _copy(made: Path, folder: Path, index: Path) -> None:
    """The files of a submission, all of them or none. Raises AddError."""
    try:
        shutil.copytree(made, folder, ignore=shutil.ignore_patterns(HISTORY_FILE))
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        why = error.strerror or str(error)
        raise AddError(f"{index}: cannot be written ({why}); give another folder", unsound=False) from None


def repeated(report: Report) -> str:
    """The commands that make the run again: that of its first check, with what else was chosen."""
    first = report.checks[0].reproduce if report.checks else ""
    options = [part for part in shlex.split(first) if not part.startswith("--check=")]
    chosen = report.settings.get("profiles") or []
    if set(chosen) == set(report.profiles):  # otherwise these are all that there are, and some said nothing
        options += [f"--conformance-profile={name}" for name in chosen]
    options += [f"--check={name}" for name in report.settings.get("checks") or ()]
    return shlex.join(options)


def _without_homes(run: Path, to: Path) -> Report:
    """Write report.json and the packed history without names of home folders; returns the report."""
    history, value = to / HISTORY_FILE, masked(read(run))
    with history.open("w", encoding="utf-8") as file:
        file.writelines(_lines(run / HISTORY_FILE))
    pack(history, to / PACKED_FILE)
    value["footer"] |= {"report": report_digest(value), "history": file_digest(history)}
    (to / REPORT_FILE).write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    return parse(to, value)


def _lines(history: Path) -> Iterator[str]:
    with history.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.dumps(masked(json.loads(line)), separators=(",", ":")) + "\n"
