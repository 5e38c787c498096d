"""Pictures of the public index: python -m tests.index.pictures --runs=build/runs --write=docs/pictures

Of the site that tests.index.seeds makes. Exit status 1 when axe-core finds something on a page, or a picture is too
large for a document.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.index.seeds import made
from tests.report.browser import DARK, LIGHT, NO_CHROMIUM, PHONE, View, find_chromium, opened, running, violations
from tests.report.pictures import LARGEST_PICTURE

PAGES = {
    "index-light": ("index.html", LIGHT),
    "index-dark": ("index.html", DARK),
    "index-phone": ("index.html", View("phone", "light", PHONE.width, 1400)),
    "index-driver": ("drivers/gpu.example.com/index.html", View("tall", "light", 1280, 1250)),
    "index-checks": ("checks.html", LIGHT),
}


def main(arguments: list[str] | None = None) -> int:
    """Make the site, the pictures, and the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.index.pictures", description=__doc__)
    parser.add_argument("--runs", type=Path, required=True, help="folder of runs that are kept")
    parser.add_argument("--write", type=Path, required=True, help="folder of the pictures")
    options = parser.parse_args(arguments)
    chromium = find_chromium()
    if chromium is None:
        parser.error(NO_CHROMIUM)
    options.write.mkdir(parents=True, exist_ok=True)
    complaints = []
    with tempfile.TemporaryDirectory() as scratch, running(chromium) as browser:
        site = made(options.runs, Path(scratch) / "index")
        for name, (file, view) in PAGES.items():
            picture = options.write / f"{name}.png"
            with opened(browser, site / file, view) as page:
                page.screenshot(path=picture)
                complaints += [f"{name}: axe-core finds {rule}: {where}" for rule, where in violations(page).items()]
            if picture.stat().st_size > LARGEST_PICTURE:
                complaints.append(f"{picture}: {picture.stat().st_size} bytes, at most {LARGEST_PICTURE} are wanted")
    sys.stdout.write("".join(f"NOT AS IT SHOULD BE {text}\n" for text in complaints))
    return int(bool(complaints))


if __name__ == "__main__":
    raise SystemExit(main())
