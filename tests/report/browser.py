"""The report's page in Chromium: opened from disk in a scheme and a size, and looked at by axe-core."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NO_CHROMIUM = "there is no Chromium; on Debian: apt install chromium"


@dataclass(frozen=True)
class View:
    """How somebody looks at the page."""

    name: str
    scheme: Literal["light", "dark"]
    width: int
    height: int


LIGHT, DARK, PHONE = (
    View("light", "light", 1280, 1000),
    View("dark", "dark", 1280, 1000),
    View("phone", "light", 390, 844),
)
VIEWS = (LIGHT, DARK, PHONE)


def find_chromium() -> Path | None:
    """The command of the browser, None where there is none."""
    found = shutil.which("chromium")
    return Path(found) if found else None


@contextmanager
def running(chromium: Path) -> Iterator["Browser"]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright

    # In containers there is neither a sandbox for root nor much in /dev/shm.
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield browser
        browser.close()


@contextmanager
def opened(browser: "Browser", file: Path, view: View = LIGHT, *, at: str = "") -> Iterator["Page"]:
    """The page in a file, `at` a part of it; raises AssertionError when its script complains or asks for anything."""
    context = browser.new_context(
        color_scheme=view.scheme, viewport={"width": view.width, "height": view.height}, offline=True
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    address = f"{file.resolve().as_uri()}{at}"
    page.goto(address)
    yield page
    context.close()
    assert complaints == []
    assert asked == [address.partition("#")[0]]


def opening(browser: "Browser", file: Path, view: View = LIGHT) -> float:
    """Seconds of the processor that it takes to read and lay out the page, however busy the machine is."""
    context = browser.new_context(viewport={"width": view.width, "height": view.height}, offline=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.resolve().as_uri())
    rows = session.send("Performance.getMetrics")["metrics"]
    context.close()
    return float(next(row["value"] for row in rows if row["name"] == "TaskDuration"))


def violations(page: "Page") -> dict[str, list[str]]:
    """What axe-core finds wrong, with everything unfolded: rules and the elements that break them."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    found = Axe().run(page).response["violations"]
    return {row["id"]: [node["html"][:200] for node in row["nodes"]] for row in found}
