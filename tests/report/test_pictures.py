"""Each picture in the documents is one that `make pictures` takes, and that it still can take."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.index.pictures import PAGES
from tests.report.pictures import take
from tests.variants import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FAILED = "preparation.repeat_same_devices"
KEPT = {file.name for file in (ROOT / "docs/pictures").iterdir()}


def test_documents_show_every_picture_and_no_other() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))]
    assert {Path(name).name for text in texts for name in re.findall(r"\(([^)\s]+\.(?:png|svg|jpe?g))\)", text)} == KEPT


def test_every_picture_is_taken_of_a_run(browser: "Browser", real_run: Path, tmp_path: Path) -> None:
    page = real_run / "index.html"
    take(browser, page, page, tmp_path, finding=FAILED)
    assert {file.name for file in tmp_path.iterdir()} | {f"{name}.png" for name in PAGES} == KEPT


def test_ci_takes_them_all() -> None:
    assert " pictures;" in (ROOT / ".ci/run").read_text(encoding="utf-8")
