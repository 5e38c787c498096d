"""The page in a real browser: opened from disk without a network, by mouse, keyboard and link, and by axe-core."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.report import Outcome, Report, load
from conformance.report.html import html
from conformance.verdict import Verdict
from tests.report import samples
from tests.report.browser import DARK, LIGHT, PHONE, VIEWS, View, opened, opening, violations
from tests.report.conftest import CHECKS
from tests.report.many import many

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FAILED = "preparation.repeat_same_devices"


@pytest.fixture
def long_page(tmp_path: Path) -> Path:
    """The page of 200 checks."""
    file = tmp_path / "long.html"
    file.write_text(html(samples.long()), encoding="utf-8")
    return file


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_real_run_has_no_violation_with_all_of_its_evidence_unfolded(
    browser: "Browser", real_run: Path, view: View
) -> None:
    with opened(browser, real_run / "index.html", view) as page:
        assert violations(page) == {}


def wordy() -> Report:
    """A finding whose values have to be scrolled."""
    said = samples.finding(
        "PREP-05", "it is short", holds=False, got=[f"device-{i}" for i in range(99)], want=["x" * 999]
    )
    return samples.report(
        Outcome.NOT_CONFORMANT, [samples.check("a.b", Verdict.FAIL, "T.", ["PREP-05"], findings=[said])]
    )


def rows() -> Report:
    """A finding whose values are short, and have many lines."""
    said = samples.finding(
        "PREP-05", "it is short", holds=False, got={"devices": list(range(20))}, want=list(range(20))
    )
    return samples.report(
        Outcome.NOT_CONFORMANT, [samples.check("a.b", Verdict.FAIL, "T.", ["PREP-05"], findings=[said])]
    )


@pytest.mark.parametrize(
    ("sample", "view"),
    [(samples.bad, DARK), (samples.hostile, LIGHT), (wordy, PHONE), (rows, LIGHT), (samples.seven, LIGHT)],
    ids=["bad", "hostile", "wordy", "rows", "seven"],
)
def test_other_pages_have_no_violation(
    browser: "Browser", tmp_path: Path, sample: Callable[[], Report], view: View
) -> None:
    (tmp_path / "page.html").write_text(html(sample()), encoding="utf-8")
    with opened(browser, tmp_path / "page.html", view) as page:
        assert violations(page) == {}


def test_a_violation_is_found(browser: "Browser", tmp_path: Path) -> None:
    text = html(samples.good()).replace("<main", '<img src="data:," width="9"><p style="color: #ccc">faint</p><main', 1)
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert {"image-alt", "color-contrast"} <= set(violations(page))
    context.close()


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_the_screen(browser: "Browser", real_run: Path, width: int) -> None:
    with opened(browser, real_run / "index.html", View("narrow", "light", width, 800)) as page:
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_link_to_a_check_opens_it(browser: "Browser", real_run: Path) -> None:
    with opened(browser, real_run / "index.html", at=f"#{FAILED}") as page:
        check = page.locator(f"details[id='{FAILED}']")
        assert check.get_attribute("open") is not None
        box = check.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < LIGHT.height


def test_search_area_profile_and_verdict_narrow_the_list_down(browser: "Browser", real_run: Path) -> None:
    with opened(browser, real_run / "index.html") as page:
        shown = page.locator("details.check:visible")
        assert shown.count() == len(CHECKS)
        page.get_by_label("Search checks").fill("already prepared SIGKILL")
        assert page.get_by_text("No check matches.").is_visible()
        page.get_by_label("Search checks").fill("sigkill")
        assert [row.get_attribute("id") for row in shown.all()] == ["restart.recovers"]
        page.get_by_role("button", name="Clear").click()
        page.get_by_label("Area", exact=False).first.select_option("preparation")
        assert shown.count() == 2
        page.get_by_role("checkbox", name="FAIL").check()
        assert [row.get_attribute("id") for row in shown.all()] == [FAILED]
        assert page.locator("#shown").inner_text() == f"1 of {len(CHECKS)} checks"


def test_the_keyboard_reaches_findings_and_opens_their_evidence(browser: "Browser", real_run: Path) -> None:
    with opened(browser, real_run / "index.html") as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the findings"
        page.keyboard.press("Enter")
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('.drawer > summary')"):
                break
        page.keyboard.press("Enter")
        assert page.get_by_text("kubectl create namespace").first.is_visible()


def test_the_evidence_of_a_failure_is_on_the_page(browser: "Browser", real_run: Path) -> None:
    with opened(browser, real_run / "index.html") as page:
        card = page.locator(f"[id='finding-{FAILED}']")
        card.evaluate("card => card.querySelectorAll('details').forEach(part => part.open = true)")
        text = card.inner_text()
        for words in ("ALREADY_EXISTS", "Usual causes", "How to mend it", "ADDED ResourceClaim", "--conformance-seed="):
            assert words in text
        assert card.locator("svg rect").count() > 5


def test_a_printed_page_has_the_findings(browser: "Browser", real_run: Path) -> None:
    with opened(browser, real_run / "index.html") as page:
        page.emulate_media(media="print")
        assert page.get_by_text("How to mend it").first.is_visible()
        assert not page.locator("#filter").is_visible()
        assert page.pdf().startswith(b"%PDF")


def test_two_hundred_checks_stay_small_and_can_be_opened_on_a_phone(browser: "Browser", long_page: Path) -> None:
    assert long_page.stat().st_size < 3_000_000
    assert 0.01 < opening(browser, long_page, PHONE) < 1.0
    with opened(browser, long_page, PHONE) as page:
        assert page.locator("details.check").count() == 200
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE.width


def test_two_hundred_failures_with_their_evidence_stay_small_and_open_in_a_second(
    browser: "Browser", real_run: Path, tmp_path: Path
) -> None:
    file = tmp_path / "index.html"
    file.write_text(html(many(load(real_run), real_run, tmp_path), tmp_path), encoding="utf-8")
    assert file.stat().st_size < 3_000_000
    assert opening(browser, file) < 1.0
    with opened(browser, file) as page:
        assert page.locator("article.card").count() == 200
        assert page.locator("article.card >> text=gRPC transcript").count() >= 10
        page.locator("article.card").last.scroll_into_view_if_needed()
        assert page.locator("article.card").last.get_by_text("How to mend it").is_visible()


def test_a_script_of_the_driver_is_text(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(html(samples.hostile()), encoding="utf-8")
    with opened(browser, tmp_path / "page.html") as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        assert 'alert("x")' in page.locator(".card h4").first.inner_text()
