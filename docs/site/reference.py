"""The reference that is made from the code: which pages there are, and their order."""

from collections.abc import Iterator

import catalogue_pages
import command_pages
import obligation_pages
import schema_pages
import timer_pages

NAV = (
    "reference/checks/index.md",
    "reference/obligations.md",
    "reference/commands.md",
    "reference/options.md",
    "reference/exit-statuses.md",
    "reference/driver-file-keys.md",
    "reference/report-fields.md",
    "reference/timers.md",
)
"""Pages of the navigation; those of each area of checks are reached from the first."""


def pages() -> Iterator[tuple[str, str]]:
    """(path in the site, markdown) of every page, with links as if it lay below docs/."""
    for part in (catalogue_pages, obligation_pages, command_pages, schema_pages, timer_pages):
        yield from part.pages()
