"""Several reports on one page: read by a parser of HTML, as a browser and a screen reader see it."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from conformance.report import DriverInfo, Outcome, Report
from conformance.report.matrix import LETTERS, Column, matrix_page
from conformance.report.verify import Verified
from conformance.verdict import Verdict
from tests.report import samples


class Table(HTMLParser):
    """The rows of the page's table, each a list of the texts of its cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(page.replace("<wbr>", ""))  # where a name may go on in the next line

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] = f"{self.rows[-1][-1]} {data.strip()}".strip()


def column(report: Report | None, problems: tuple[str, ...] = ()) -> Column:
    return Column.of(Verified(problems, report), Path("there/report.json"), Path("here"))


def on(kubernetes: str, report: Report) -> Report:
    report.cluster = {"kind": "kind", "kubernetes": kubernetes}
    return report


@pytest.fixture(scope="module")
def rows() -> list[list[str]]:
    other = DriverInfo(file="nic.yaml", name="nic.example.com", version="2.1")
    columns = [
        column(samples.report(driver=other)),
        column(on("v1.37.2", samples.bad())),
        column(on("v1.9.0", samples.good())),
        column(on("v1.38.0", samples.good()), ("report.json: was changed after its run",)),
    ]
    return Table(matrix_page(columns)).rows


def test_columns_are_drivers_by_versions_of_kubernetes(rows: list[list[str]]) -> None:
    assert rows[0] == ["Check", "gpu.example.com", "nic.example.com 2.1"]
    assert rows[1] == [
        "1.9.0 kind conformant",
        "1.37.2 kind not conformant",
        "1.38.0 kind not verified",
        "1.37.2 embedded conformant",
    ]


def test_rows_are_checks_by_area(rows: list[list[str]]) -> None:
    at = rows.index(["preparation"])
    assert [row[0].split()[0] for row in rows[at + 1 : at + 4]] == [
        "preparation.after_repeat",
        "preparation.one_claim",
        "preparation.repeat_same_devices",
    ]


def test_a_cell_has_a_letter_and_a_word(rows: list[list[str]]) -> None:
    (row,) = [row for row in rows if row[0].startswith("preparation.repeat_same_devices")]
    assert row[1:] == ["not in this report", "F fail", "not in this report", "not in this report"]


def test_counts_stand_below_each_column(rows: list[list[str]]) -> None:
    (passed,) = [row for row in rows if row[0] == "P PASS"]
    assert passed[1:] == ["4", "4", "4", "4"]


def test_every_verdict_has_a_letter_of_its_own() -> None:
    assert set(LETTERS) == set(Verdict)
    assert len(set(LETTERS.values())) == len(Verdict)


def test_what_is_no_report_has_a_column_that_says_so() -> None:
    page = matrix_page([column(None, ("x/report.json: is not JSON",)), column(samples.good())])
    assert ["1.37.2 embedded conformant", "? no cluster no report"] in Table(page).rows
    assert "x/report.json: is not JSON" in page


@pytest.mark.parametrize(
    ("report", "tone"),
    [
        (samples.good(), "good"),
        (samples.bad(), "bad"),
        (samples.interrupted(), "unsure"),
        (samples.empty(), "unsure"),
        (samples.report(Outcome.SELECTION), "part"),
        (samples.report(Outcome.SELECTION, exit_status=1), "bad"),
        (samples.report(exit_status=6), "unsure"),
        (samples.report(Outcome.INCONCLUSIVE, exit_status=6), "unsure"),
    ],
)
def test_the_tone_of_a_column(report: Report, tone: str) -> None:
    assert column(report).tone == tone
    assert column(report, ("it was changed",)).tone == "unsure"


def test_the_page_needs_nothing_else_and_text_of_drivers_stays_text() -> None:
    page = matrix_page([column(samples.hostile()), column(samples.good())])
    for forbidden in ("<script", "<img", "<link", "http://", "https://", "@import", "url(", "\x1b", "\u202e"):
        assert forbidden not in page, forbidden


def test_two_hundred_checks_of_twenty_runs_are_a_small_page() -> None:
    assert len(matrix_page([column(samples.long()) for _ in range(20)])) < 3_000_000
