"""What MkDocs calls while it makes the site: which pages there are, in which order, and where their links lead."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

import outside  # noqa: E402
import reference  # noqa: E402
from navigation import navigation  # noqa: E402
from search import SHIM, shim  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


def on_config(config: "MkDocsConfig") -> None:
    """The navigation is that of docs/README.md."""
    index = (HERE.parent / "README.md").read_text(encoding="utf-8")
    config.nav = navigation(index, {"Reference": reference.NAV})


def on_files(files: "Files", config: "MkDocsConfig") -> None:
    """Add the reference, made from the code, and what pages link to outside of docs/."""
    files.append(File.generated(config, SHIM, content=shim(config.theme.dirs)))
    for path, text in reference.pages():
        files.append(File.generated(config, path, content=text))
    there = [(f"docs/{file.src_uri}", file.content_string) for file in files.documentation_pages()]
    wanted = [path for page, text in there for path in outside.linked(page, text)]
    for path, text in outside.pages(wanted):
        files.append(File.generated(config, path, content=text))


def on_page_markdown(markdown: str, *, page: "Page", **_: Any) -> str:
    """Links of the documents and of the reference lead to the pages of the site."""
    path = page.file.src_uri
    if path.startswith(f"{outside.FOLDER}/"):
        return markdown
    # What follows the language says which test runs the block, and MkDocs would not know it.
    return outside.redirected(f"docs/{path}", re.sub(r"^(```\w+) [\w ]+$", r"\1", markdown, flags=re.M), path)


def on_post_page(output: str, **_: Any) -> str:
    """The theme's dialog for the search has no name, which screen readers would tell."""
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )
