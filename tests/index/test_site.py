"""The site of an index, read as files: where its links lead, what it says, what it leaves alone."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from conformance.index.checking import check
from conformance.index.entry import Entry
from conformance.index.layout import Place
from conformance.index.metadata import Metadata
from conformance.index.pages import NOTICE, driver_page, overview, rows
from conformance.index.site import SiteError, write
from conformance.report import DriverInfo, Outcome, Report
from conformance.report.badge import GREEN
from conformance.report.verify import Verified
from tests.index.conftest import SUITE, WHO, Submit
from tests.report import samples


@pytest.fixture
def small(submit: Submit, bad_run: Path, index: Path, tmp_path: Path) -> Path:
    """The site of an index with one submission."""
    submit(bad_run)
    write(check(index, SUITE).entries, index, tmp_path / "site")
    return tmp_path / "site"


def test_every_link_leads_somewhere(small: Path) -> None:
    pages = list(small.rglob("*.html"))
    assert len(pages) == 4
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r'href="(?!#|https?:)([^"#]+)', text):
            assert (page.parent / unquote(target)).is_file(), (page, target)
        ids = set(re.findall(r'\bid="([^"]+)"', text))
        assert {unquote(name) for name in re.findall(r'href="#([^"]+)"', text)} <= ids


def test_every_page_says_that_it_is_no_certification(small: Path) -> None:
    for page in small.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert NOTICE in text or "is no certification, by the CNCF or by anybody else" in text, page


def test_pages_ask_for_nothing(small: Path) -> None:
    for page in small.rglob("*.html"):
        assert not re.search(r"<(link|img|iframe|script src)|@import|url\(", page.read_text(encoding="utf-8")), page


def test_the_report_lies_beside_its_page_and_stays_as_it_was(small: Path, index: Path) -> None:
    (place,) = (small / "reports").rglob("report.json")
    assert {path.name for path in place.parent.iterdir()} == {
        "badge.svg",
        "history.jsonl.gz",
        "index.html",
        "junit.xml",
        "metadata.yaml",
        "report.json",
    }
    (submitted,) = (index / "submissions").rglob("report.json")
    assert place.read_bytes() == submitted.read_bytes()


def test_a_site_replaces_the_one_before(small: Path, index: Path) -> None:
    (small / "left over").touch()
    write(check(index, SUITE).entries, index, small)
    assert not (small / "left over").exists()
    assert [path.name for path in small.parent.iterdir() if path.name.startswith(".")] == []


def test_what_is_no_site_is_left_alone(small: Path, index: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    for output, said in (
        (tmp_path / "mine", "is there, and is no site of an index"),
        (index / "submissions" / "site", "would be mixed with"),
        (index, "would be mixed with"),
        (Path("/proc/site"), "cannot be written"),
    ):
        with pytest.raises(SiteError, match=said):
            write(check(index, SUITE).entries, index, output)
    assert (tmp_path / "mine" / "thesis.txt").exists()


def entry(report: Report, *, who: Metadata = WHO, run: str = "run") -> Entry:
    """A submission of a report, as if it had been looked at."""
    place = Place(Path("x"), report.driver.name.replace("/", "-")[:9], "1", run)
    return Entry(place, who, Verified([], report), report, ours=True)


def on(kubernetes: str, report: Report, kind: str = "kind", started: float = samples.STARTED) -> Report:
    report.cluster, report.started = {"kind": kind, "kubernetes": kubernetes}, started
    return report


def test_the_newest_run_of_each_kind_is_in_the_matrix() -> None:
    other = Metadata("Somebody else", WHO.reproduce, WHO.homepage)
    entries = [
        entry(on("1.37.1", samples.good(), started=1), run="old"),
        entry(on("1.37.2", samples.bad(), started=2), run="new"),
        entry(on("1.37.2", samples.report(Outcome.SELECTION), started=3), run="part"),
        entry(on("1.37.2", samples.good(), started=4), who=other, run="theirs"),
        entry(on("1.37.2", samples.good(), "embedded"), run="embedded"),
        entry(on("1.9.0", samples.good()), run="1.9"),
    ]
    (row,) = rows(entries)
    cells = {minor: {each.place.run for each in found} for minor, found in row.cells.items()}
    assert cells == {"1.37": {"new", "part", "theirs", "embedded"}, "1.9": {"1.9"}}
    heads = re.findall(r'<th scope="col" data-kubernetes="([^"]+)"', overview(entries))
    assert heads == ["1.37", "1.9"], "the newest version first"


ADDRESS = "https://example.com/'\"><script>"
HOSTILE = Metadata(samples.HOSTILE, samples.HOSTILE, ADDRESS, samples.HOSTILE, samples.HOSTILE)


def test_text_of_submitters_and_drivers_stays_text() -> None:
    hostile = entry(samples.hostile(), who=HOSTILE)
    for page in (overview([hostile]), driver_page([hostile])):
        for forbidden in ("<script>alert", "<img", "\x1b", "\u202e", "\x00", "'\"><script>"):
            assert forbidden not in page, forbidden
        assert "&lt;script&gt;alert(&#34;x&#34;)" in page


def test_mocked_hardware_and_versions_that_were_only_told_are_shown() -> None:
    mocked = samples.report(driver=DriverInfo(file="a", name="a.example.com", mocks="its GPUs are made up"))
    page = driver_page([entry(mocked)])
    assert "<strong>Mocked hardware:</strong> its GPUs are made up" in page
    assert "as the submitter says; the report has none" in page


def test_nothing_is_green_but_what_is_conformant() -> None:
    assert GREEN in driver_page([entry(samples.good())])
    for report in (samples.bad(), samples.interrupted(), samples.empty()):
        page = driver_page([entry(report)])
        cards = page[page.index('id="history"') : page.index('id="meaning"')]
        assert GREEN not in cards
        assert "v-pass" not in cards
