"""Pictures of the report's page, of runs that are made for them: python -m tests.report.pictures --write=docs/pictures

Whole runs of the reference driver, and of the Kubernetes project's test driver, which breaks obligations and is built
with Go. How large each page is and how fast it opens is printed. CI takes all of them, so that none shows what no run
shows any more.

Exit status 1 when one is too large or too slow, axe-core finds something, or a picture is too large for a document.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.report import load
from conformance.report.html import html
from tests.report import samples
from tests.report.browser import (
    DARK,
    LIGHT,
    NO_CHROMIUM,
    PHONE,
    View,
    find_chromium,
    opened,
    opening,
    running,
    violations,
)
from tests.report.many import many
from tests.variants import judge

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LARGEST_PICTURE, LARGEST_PAGE = 300_000, 3_000_000  # bytes
SLOWEST = 1.0  # seconds of the processor until all of the page is there
DRIVERS = {"conformant": "reference", "failing": "kubernetes-test-driver"}
FAILURES = "two hundred failures"
FINDING = "restart.recovers"
TALL = View("tall", "light", 1280, 1400)


def main(arguments: list[str] | None = None) -> int:
    """Make the runs that are not there yet, the pictures, and the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.report.pictures", description=__doc__)
    parser.add_argument("--write", type=Path, required=True, help="folder of the pictures")
    parser.add_argument("--runs", type=Path, help="folder of runs to take, where they are there; else they are new")
    options = parser.parse_args(arguments)
    chromium = find_chromium()
    if chromium is None:
        parser.error(NO_CHROMIUM)
    options.write.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, running(chromium) as browser:
        runs = options.runs or Path(scratch)
        pages = {name: _run(name, runs) for name in DRIVERS}
        pages["two hundred checks"] = Path(scratch) / "long.html"
        pages["two hundred checks"].write_text(html(samples.long()), encoding="utf-8")
        pages[FAILURES] = _failures(pages["failing"].parent, Path(scratch) / "many")
        complaints = [text for name, file in pages.items() for text in _complaints(browser, name, file)]
        take(browser, pages["conformant"], pages["failing"], options.write)
    large = [file for file in options.write.glob("report-*.png") if file.stat().st_size > LARGEST_PICTURE]
    complaints += [f"{file}: {file.stat().st_size} bytes, at most {LARGEST_PICTURE} are wanted" for file in large]
    sys.stdout.write("".join(f"NOT AS IT SHOULD BE {text}\n" for text in complaints))
    return int(bool(complaints))


def _run(name: str, runs: Path) -> Path:
    """The page of a whole run, made now where it is not there."""
    folder = runs / name
    if not (folder / "index.html").exists():
        runs.mkdir(parents=True, exist_ok=True)
        judge(DRIVERS[name], folder.resolve())
    return folder / "index.html"


def _failures(run: Path, folder: Path) -> Path:
    """The page of a run in which everything fails that can, with evidence."""
    folder.mkdir()
    (folder / "index.html").write_text(html(many(load(run), run, folder), folder), encoding="utf-8")
    return folder / "index.html"


def _complaints(browser: "Browser", name: str, file: Path) -> Iterator[str]:
    seconds = opening(browser, file)
    with opened(browser, file) as page:
        size = file.stat().st_size
        sys.stdout.write(f"{name}: {size / 1000:.0f} kB, opens in {seconds:.2f} s\n")
        if size > LARGEST_PAGE or seconds > SLOWEST:
            yield f"{name}: at most {LARGEST_PAGE / 1000:.0f} kB and {SLOWEST} s are wanted"
        # Of hundreds of failures it looks for many minutes at what those of the failing run have, too.
        found = violations(page) if name != FAILURES else {}
        yield from (f"{name}: axe-core finds {rule}: {where}" for rule, where in found.items())


def take(browser: "Browser", good: Path, bad: Path, folder: Path, finding: str = FINDING) -> None:
    """All pictures of the pages of two runs, with one finding of the bad one."""
    for view in (LIGHT, DARK, PHONE):
        with opened(browser, bad, view) as page:
            page.screenshot(path=folder / f"report-{view.name}.png")
    with opened(browser, good) as page:
        page.screenshot(path=folder / "report-conformant.png")
        _part(page, "#timeline", folder / "report-timeline.png")
    with opened(browser, bad, DARK) as page:
        _part(page, ".matrix", folder / "report-matrix.png")
    with opened(browser, bad, TALL) as page:
        card = f"[id='finding-{finding}']"
        page.evaluate(f'document.querySelector("{card} .drawer:nth-of-type(2)").open = true')
        _part(page, card, folder / "report-finding.png")


def _part(page: "Page", selector: str, file: Path) -> None:
    page.evaluate("document.querySelector('nav').hidden = true")  # it would stay in front
    part = page.locator(selector).first
    part.scroll_into_view_if_needed()  # only then it is laid out
    part.screenshot(path=file)


if __name__ == "__main__":
    raise SystemExit(main())
