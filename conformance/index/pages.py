"""The pages of an index: all drivers, one driver, one report. Each says what it is not."""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from conformance.index.entry import Entry, Standing
from conformance.index.layout import METADATA_FILE, PACKED_FILE
from conformance.report.badge import badge
from conformance.report.html import Published, filters, html
from conformance.report.matrix import Column, matrix_page
from conformance.report.obligations import headline, short_headline
from conformance.report.pages import asset, template
from conformance.report.store import JUNIT_FILE, PAGE_FILE, REPORT_FILE

DRIVERS, REPORTS, MATRIX = "drivers", "reports", "checks.html"
NOTICE = (
    "This is no CNCF certification, and no programme of the CNCF or of Kubernetes stands behind it. Entries are "
    "reports that people sent in: each verdict follows from the history of its run, and nobody here watched it."
)

_TONES: Mapping[Standing, str] = {
    Standing.CONFORMANT: "pass",
    Standing.RESERVED: "warn",
    Standing.NOT_CONFORMANT: "fail",
    Standing.PARTIAL: "info",
    Standing.INCONCLUSIVE: "inconclusive",
    Standing.OTHER_SUITE: "blocked",
}


@dataclass(frozen=True)
class Row:
    """One version of one driver, and its submissions by minor version of Kubernetes."""

    driver: str
    version: str
    newest: Entry
    cells: Mapping[str, Sequence[Entry]]


def overview(entries: Sequence[Entry]) -> str:
    """The first page: drivers by versions of Kubernetes."""
    return _template("site-index.html.j2").render(
        **_common(""),
        rows=rows(entries),
        kubernetes=_minors(entries),
        entries=entries,
        drivers=len({entry.place.driver for entry in entries}),
        counts=Counter(entry.standing for entry in entries),
        clusters=sorted({entry.cluster for entry in entries}),
        matrix=MATRIX,
    )


def driver_page(entries: Sequence[Entry]) -> str:
    """The page of one driver: all of its submissions, the newest first."""
    newest_first = sorted(entries, key=lambda entry: -entry.when)
    return _template("site-driver.html.j2").render(
        **_common("../../"),
        name=newest_first[0].report.driver.name,
        entries=newest_first,
        rows=rows(entries),
        kubernetes=_minors(entries),
        newest=next((entry for entry in newest_first if not entry.part), newest_first[0]),
        badges={entry.place.path: Markup(badge(entry.trusted)) for entry in entries},  # ours, with its texts escaped
        files=(REPORT_FILE, PACKED_FILE, METADATA_FILE, "badge.svg"),
    )


def report_page(entry: Entry, run: Path) -> str:
    """The page of one report, from the folder that it was unpacked into; it links to files that are published only."""
    bare = [result.model_copy(update={"evidence": []}) for result in entry.report.checks]
    report = entry.shown.model_copy(update={"checks": bare})
    up = "../" * (entry.place.path.count("/") + 2)
    home = f"{up}{DRIVERS}/{entry.place.driver}/{PAGE_FILE}"
    said = f"Submitted by {entry.metadata.organisation}. {NOTICE}"
    return html(report, run, Published(said, home, (JUNIT_FILE, PACKED_FILE, METADATA_FILE)))


def checks_page(entries: Sequence[Entry], site: Path) -> str:
    """Checks by the runs that the first page shows; `site` is where the pages of their reports are."""
    newest = [entry for row in rows(entries) for cell in row.cells.values() for entry in cell]
    columns = [Column.of(entry.trusted, site / REPORTS / entry.place.path / REPORT_FILE, site) for entry in newest]
    told = [f"{entry.version}, by {entry.metadata.organisation}" for entry in newest]
    return matrix_page([replace(each, version=said) for each, said in zip(columns, told, strict=True)], PAGE_FILE)


def rows(entries: Sequence[Entry]) -> list[Row]:
    """A row for each version of each driver, by driver, versions with the newest run first."""
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        found.setdefault((entry.place.driver, entry.place.version), []).append(entry)
    made = [_row(each) for each in found.values()]
    return sorted(made, key=lambda row: (row.driver, -row.newest.when))


def _row(entries: Sequence[Entry]) -> Row:
    newest = max(entries, key=lambda entry: entry.when)
    cells: dict[str, list[Entry]] = {}
    for entry in _newest_of_each(entries):
        cells.setdefault(entry.kubernetes, []).append(entry)
    return Row(newest.report.driver.name, newest.version, newest, cells)


def _newest_of_each(entries: Sequence[Entry]) -> list[Entry]:
    """The newest run of each kind of cluster, choice of profiles and submitter; a partial one hides no whole one."""
    found: dict[tuple[str, ...], Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.when):
        whole = "" if entry.part else "whole"
        found[entry.kubernetes, entry.cluster, entry.profiles, entry.metadata.organisation, whole] = entry
    return sorted(found.values(), key=lambda entry: (entry.cluster, entry.profiles, bool(entry.part), -entry.when))


def _minors(entries: Sequence[Entry]) -> list[str]:
    """The minor versions of Kubernetes, the newest first."""
    numbers = {entry.kubernetes: [int(part) for part in re.findall(r"\d+", entry.kubernetes)] for entry in entries}
    return sorted(numbers, key=lambda minor: numbers[minor], reverse=True)


def _common(home: str) -> dict[str, object]:
    script = asset("site.js")
    return {
        "home": home,
        "page_file": PAGE_FILE,
        "notice": NOTICE,
        "standings": list(Standing),
        "style": Markup(asset("page.css") + asset("site.css")),  # ours, like the script: not escaped
        "script": Markup(script),
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }


@cache
def _template(name: str) -> jinja2.Template:
    summed_up = {"headline": headline, "short_headline": short_headline}
    return template(name, **filters(), tone=_tone, day=_day, **summed_up)


def _tone(standing: Standing) -> str:
    return _TONES[standing]


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
