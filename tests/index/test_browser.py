"""The site in a real browser, made of two real runs: a driver that refuses repetition, and the reference driver."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.browser import DARK, LIGHT, PHONE, VIEWS, View, opened, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_no_page_has_a_violation(browser: "Browser", site: Path, view: View) -> None:
    for name in ("index.html", "drivers/gpu.example.com/index.html"):
        with opened(browser, site / name, view) as page:
            assert violations(page) == {}, name


def test_neither_has_one_that_others_make_and_that_says_more_here(browser: "Browser", site: Path) -> None:
    report = sorted((site / "reports").rglob("index.html"))[-1]  # that of the smallest run
    for file in (site / "checks.html", report):
        with opened(browser, file, DARK) as page:
            assert violations(page) == {}, file


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_the_screen(browser: "Browser", site: Path, width: int) -> None:
    for file in (site / "index.html", site / "drivers/gpu.example.com/index.html"):
        with opened(browser, file, View("narrow", "light", width, 800)) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == width


def test_search_kubernetes_cluster_and_standing_narrow_it_down(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "index.html") as page:
        shown = page.locator(".entry:visible")
        assert shown.count() == 3
        page.get_by_label("Search drivers").fill("gpu example 0.2")
        assert shown.count() == 1
        assert page.locator("#shown").inner_text() == "1 of 3 shown"
        page.get_by_role("button", name="Clear").click()
        page.get_by_role("checkbox", name="partial").check()
        assert shown.all_inner_texts()[0].startswith("partial selection")
        page.locator("#cluster").select_option("embedded")
        page.locator("#kubernetes").select_option("1.37")
        assert shown.count() == 1
        page.get_by_label("Search drivers").fill("no such driver")
        assert page.get_by_text("No submission matches.").is_visible()


def test_the_keyboard_leads_from_the_matrix_to_a_report(browser: "Browser", site: Path) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the drivers"
    page.keyboard.press("Enter")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('tbody th a')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/drivers/*/index.html")
    page.get_by_role("link", name="The report", exact=True).first.click()
    page.wait_for_url("**/reports/**/index.html")
    assert page.get_by_text("no CNCF certification").first.is_visible()
    page.get_by_role("link", name="All reports of this driver").click()
    page.wait_for_url("**/drivers/*/index.html")
    context.close()


def test_on_a_phone_each_cell_says_its_version_of_kubernetes(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "index.html", PHONE) as page:
        assert page.locator("td .minor:visible").first.inner_text() == "Kubernetes 1.37"
    with opened(browser, site / "index.html", LIGHT) as page:
        assert page.locator("td .minor:visible").count() == 0
