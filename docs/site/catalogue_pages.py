"""The catalogue of checks: a page of all, and one for each area with what every check does and shows."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from markup import paragraphs, prose, table
from obligation_pages import obligation_link

from conformance.catalogue import Entry, all_checks
from conformance.session.options import ON_DEMAND
from tests.mutants.matrix import Row, read_rows

FOLDER = "reference/checks"
ROOT = Path(__file__).resolve().parents[2]


def check_link(id: str, folder: str) -> str:
    """A link to a check; folder: how the folder of its page is reached from the page that links, "" or with a slash."""
    return f"[{id}]({folder}{id.partition('.')[0]}.md#{id})"


def pages() -> Iterator[tuple[str, str]]:
    """(path, text) of the pages."""
    checks = all_checks()
    rows = list(read_rows((ROOT / "docs" / "kill-matrix.md").read_text(encoding="utf-8")).values())
    yield f"{FOLDER}/index.md", _all(checks)
    for area in dict.fromkeys(entry.check.area for entry in checks.values()):
        entries = [entry for entry in checks.values() if entry.check.area == area]
        texts = [f"# Checks: {area}", *(_one(entry, rows) for entry in entries)]
        yield f"{FOLDER}/{area}.md", "\n\n".join(texts) + "\n"


def _all(checks: Mapping[str, Entry]) -> str:
    rows = [
        (check_link(id, ""), prose(entry.check.title), entry.check.profile, entry.check.tier.value)
        for id, entry in checks.items()
    ]
    head = (
        f"The {len(checks)} checks of the suite, made from their code; `dra-conformance list` prints them, too. Those"
        f" of the profiles {' and '.join(ON_DEMAND)} run only when asked for. What they judge are the"
        " [obligations](../obligations.md)."
    )
    return f"# Check catalogue\n\n{head}\n\n{table(('check', 'what it says', 'profile', 'tier'), rows)}\n"


def _one(entry: Entry, rows: Sequence[Row]) -> str:
    check = entry.check
    facts = {
        "covers": " ".join(obligation_link(id, "../") for id in check.covers),
        "profile": check.profile,
        "tier": check.tier.value,
        "builds on": ", ".join(check_link(id, "") for id in check.needs),
        "for drivers with": ", ".join(check.features),
        "needs the hooks": ", ".join(f"`{hook}`" for hook in check.hooks),
        "claims a node must hold": str(check.claims or ""),
        "when": "at the end, from the history of the run" if check.at_end else "",
        "code": f"[{entry.file}](../../../{entry.file})",
    }
    shown = "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)
    return "\n\n".join(
        [f"## {check.id} {{ #{check.id} }}", paragraphs(entry.docstring), shown, _killed(check.id, rows)]
    )


def _killed(id: str, rows: Sequence[Row]) -> str:
    """The wrong drivers that it was seen to find, folded."""
    found = [row for row in rows if id in row.found_by]
    if not found:
        return "It has not been tried on a wrong driver yet."
    many = f"{len(found)} wrong driver{'' if len(found) == 1 else 's'}"
    listed = "\n".join(f"    - {row.name}: {prose(row.title)}" for row in found)
    return f'??? note "Shown by {many} that it finds"\n\n{listed}'
