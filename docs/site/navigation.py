"""The order of the pages: that of docs/README.md, whose sections are the parts of the site."""

import re
from collections.abc import Mapping, Sequence

from outside import page_of

Entries = list[str | dict[str, str]]
_SECTION = re.compile(r"^## (.+)\n(?P<body>(?:(?!## ).*\n?)*)", re.M)
_ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>(?:\.\./)?[\w-]+\.md)\)", re.M)


def navigation(index: str, made: Mapping[str, Sequence[str]]) -> list[str | dict[str, Entries]]:
    """The site's `nav`: the index page, then each section of the index with its pages.

    made: pages that are not in docs/, which come first in the section of this name. Raises ValueError for a section
    that the index has not got.
    """
    sections = {match[1]: match["body"] for match in _SECTION.finditer(index)}
    if unknown := set(made) - set(sections):
        raise ValueError(f"docs/README.md has no section {', '.join(sorted(unknown))}; its sections order the site")
    nav: list[str | dict[str, Entries]] = ["README.md"]
    for title, body in sections.items():
        pages: Entries = [*made.get(title, ()), *({row["title"]: _place(row["page"])} for row in _ENTRY.finditer(body))]
        if pages:
            nav.append({title: pages})
    return nav


def _place(page: str) -> str:
    return page_of(page.removeprefix("../")) if page.startswith("../") else page
