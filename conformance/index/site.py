"""The site of an index: written beside its place first, so that what is there is the old one or the new one."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance.index.entry import Entry
from conformance.index.layout import METADATA_FILE, PACKED_FILE, SUBMISSIONS
from conformance.index.pages import DRIVERS, MATRIX, REPORTS, checks_page, driver_page, overview, report_page
from conformance.index.unpacking import unpacked
from conformance.report.badge import badge
from conformance.report.junit import junit
from conformance.report.store import JUNIT_FILE, PAGE_FILE, REPORT_FILE

BADGE_FILE = "badge.svg"
MARK_FILE = ".dra-conformance-index"
"""Says that a folder is a site that was written here, which the next one may replace."""


class SiteError(Exception):
    """The site cannot be written; the text says why, and what to do."""


def write(entries: Sequence[Entry], index: Path, output: Path) -> None:
    """Write the site of an index's submissions. Raises SiteError."""
    inside = (index / SUBMISSIONS).resolve()
    if output.resolve().is_relative_to(inside) or inside.is_relative_to(output.resolve()):
        raise SiteError(f"{output}: would be mixed with {index / SUBMISSIONS}; give another folder")
    if output.exists() and not (output.is_dir() and (not any(output.iterdir()) or (output / MARK_FILE).exists())):
        raise SiteError(f"{output}: is there, and is no site of an index; give a folder that is new or empty")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent) as name:
            new, old = Path(name) / "new", Path(name) / "old"
            new.mkdir()
            _fill(entries, new)
            if output.exists():
                os.replace(output, old)
            os.replace(new, output)
    except OSError as error:
        raise SiteError(f"{output}: cannot be written ({error.strerror}); give another folder") from error


def _fill(entries: Sequence[Entry], site: Path) -> None:
    (site / MARK_FILE).touch()
    for entry in entries:
        _write_report(entry, site / REPORTS / entry.place.path)
    _text(site / MATRIX, checks_page(entries, site))
    _text(site / PAGE_FILE, overview(entries))
    for name in dict.fromkeys(entry.place.driver for entry in entries):
        of_driver = [entry for entry in entries if entry.place.driver == name]
        _text(site / DRIVERS / name / PAGE_FILE, driver_page(of_driver))


def _write_report(entry: Entry, folder: Path) -> None:
    """The page of one report, made anew, and what it was made of."""
    folder.mkdir(parents=True)
    for name in (REPORT_FILE, PACKED_FILE, METADATA_FILE):
        shutil.copyfile(entry.place.folder / name, folder / name)
    _text(folder / JUNIT_FILE, junit(entry.shown))
    _text(folder / BADGE_FILE, badge(entry.trusted))
    with unpacked(entry.place) as run:
        _text(folder / PAGE_FILE, report_page(entry, run))


def _text(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
