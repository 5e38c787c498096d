"""The documents as a site: whole, in order, and good to use from disk, offline, in light and dark and on a phone."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.catalogue import all_checks
from conformance.requirement import catalogue
from tests.report.browser import LIGHT, VIEWS, View
from tests.repository.sources import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = ("index.html", "tutorial-driver.html", "reference/checks/preparation.html")
SERIOUS = ("serious", "critical")
OWN = ("file:", "blob:")


def page(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


def test_the_order_is_that_of_the_index(site: Path) -> None:
    kinds = re.findall(
        r'md-nav__title" for="[^"]*"[^>]*>\s*<span[^>]*></span>\s*([^<]+?)\s*</label>', page(site, "up.html")
    )
    kinds = [kind for kind in kinds if kind != "Table of contents"]
    assert kinds == ["Tutorials", "How-to guides", "Reference", "Explanation"]


def test_every_document_is_a_page(site: Path) -> None:
    names = {path.stem.replace("README", "index") for path in (ROOT / "docs").glob("*.md")}
    assert names - {path.stem for path in site.glob("*.html")} == set()


def test_every_block_of_code_is_one(site: Path) -> None:
    assert [str(path) for path in site.glob("*.html") if "```" in path.read_text(encoding="utf-8")] == []


def test_every_check_has_its_place(site: Path) -> None:
    for id, entry in all_checks().items():
        assert f'id="{id}"' in page(site, f"reference/checks/{entry.check.area}.html")


def test_a_check_tells_what_it_covers_and_what_shows_that_it_can_fail(site: Path) -> None:
    text = page(site, "reference/checks/registration.html").partition('id="registration.registers"')[2]
    for words in (
        'href="../obligations.html#reg-01"',
        "tier: observe",
        "that it finds",
        "B001: Its registration socket",
    ):
        assert words in text


def test_every_obligation_has_its_place(site: Path) -> None:
    text = page(site, "reference/obligations.html")
    assert [id for id in catalogue() if f'id="{id.lower()}"' not in text] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("commands", ("dra-conformance report matrix", "dra-conformance up", "--markdown")),
        ("options", ("--cluster=KIND", "--conformance-seed=NUMBER", "XDG_STATE_HOME")),
        ("exit-statuses", ("a MUST is broken", "8 when it is not sound", "INCONCLUSIVE")),
        ("driver-file-keys", ("perNode", "stateDir", 'href="#claimsection"')),
        ("report-fields", ("exit_status", "attempts", 'href="#footer"')),
        ("timers", ("get_info_timeout", "prepare_retry", "60 to 90", "deadline.py")),
    ],
)
def test_the_reference_is_made_from_the_code(site: Path, name: str, words: tuple[str, ...]) -> None:
    text = page(site, f"reference/{name}.html")
    assert [word for word in words if word not in text.replace("</span>", "")] == []


@contextmanager
def opened(browser: "Browser", file: Path, view: View) -> "Iterator[Page]":
    """A page of the site; raises AssertionError when a script complains, or something beyond the disk is asked for."""
    context = browser.new_context(
        color_scheme=view.scheme, viewport={"width": view.width, "height": view.height}, offline=True
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(OWN) else complaints.append(request.url))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert complaints == []


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_pages_can_be_read_by_all(browser: "Browser", site: Path, view: View) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for name in PAGES:
        with opened(browser, site / name, view) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == view.width
            # axe-core would ask for style sheets by a request of its own, which no page on disk may make.
            found = Axe().run(page, options={"preload": False}).response["violations"]
            assert {row["id"]: row["nodes"][0]["html"] for row in found if row["impact"] in SERIOUS} == {}, name


def test_the_search_works_from_disk(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "index.html", LIGHT) as page:
        page.locator("input.md-search__input").fill("PREP-15")
        page.locator("a.md-search-result__link[href*='#prep-15']").first.click()
        page.wait_for_url(re.compile(r"/obligations\.html.*#prep-15$"))
        assert page.locator("#prep-15").is_visible()
