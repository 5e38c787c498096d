"""The kill matrix as a page, and the rows of a page that was written before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conformance.catalogue import all_checks
from conformance.requirement import Level, catalogue
from tests.mutants.kills import killers
from tests.mutants.mutant import Mutant
from tests.mutants.seen import Seen, read_seen
from tests.variants import Judged

_HEAD = """# Kill matrix

What shows that the checks can fail: every check against every wrong driver, as `make mutants` wrote it. Each wrong
driver is one module of [tests/mutants](../tests/mutants), right but for what its sentence says. "On kind" is the day
when the same checks last found it on a real cluster; wrappers, and what needs faults of the API server or a whole run,
are not tried there.
"""
_COLUMNS = "| | what is wrong | breaks | found by | on kind |"
_CELL = re.compile(r"(?<!\\)\|")
_NOBODY = "**nobody**"


@dataclass(frozen=True)
class Row:
    """One wrong driver: its name and sentence, the requirements that are found broken, and the checks that find it."""

    name: str
    title: str
    broken: tuple[str, ...]
    found_by: tuple[str, ...]


def row_of(mutant: Mutant, judged: Mapping[str, Judged]) -> Row:
    """What a run said of a mutant."""
    found = sorted(killers(judged))
    broken = sorted({id for check in found for id in judged[check].broken})
    return Row(mutant.name, mutant.title, tuple(broken), tuple(found))


def read_rows(page: str) -> dict[str, Row]:
    """The wrong drivers of a page, by name."""
    _, _, table = page.partition(_COLUMNS)
    found = {}
    for line in table.partition("\n## ")[0].splitlines()[2:]:
        if line.startswith("| "):
            name, title, broken, found_by, *_ = (cell.strip() for cell in _CELL.split(line)[1:-1])
            checks = () if found_by == _NOBODY else tuple(found_by.split(", "))
            found[name] = Row(name, title.replace("\\|", "|"), tuple(broken.split()), checks)
    return found


def page(rows: Sequence[Row]) -> str:
    """Markdown: counts, wrong drivers with who found them, checks with what they kill."""
    killed = [row for row in rows if row.found_by]
    owed = [r for r in catalogue().values() if r.level is Level.MUST and not r.unchecked]
    proved = {id for row in rows for id in row.broken}
    counts = (
        f"{len(rows)} wrong drivers, {len(killed)} of them killed; {len(all_checks())} checks; of {len(owed)} MUST that"
        f" can be checked, {sum(r.id in proved for r in owed)} are broken by a wrong driver and found broken."
    )
    return "\n".join([_HEAD, counts, "", *_by_mutant(rows), "", *_by_check(rows), ""])


def _by_mutant(rows: Sequence[Row]) -> list[str]:
    there = read_seen()
    lines = ["## Wrong drivers", "", _COLUMNS, "|---|---|---|---|---|"]
    for row in rows:
        found_by = ", ".join(row.found_by) or _NOBODY
        cells = (row.name, row.title, " ".join(row.broken), found_by, _on_kind(there.get(row.name)))
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def _by_check(rows: Sequence[Row]) -> list[str]:
    lines = ["## Checks", "", "| check | kills |", "|---|---|"]
    for id in all_checks():
        kills = [row.name for row in rows if id in row.found_by]
        lines.append(f"| {id} | {' '.join(kills) or '**nothing**'} |")
    return lines


def _on_kind(seen: Seen | None) -> str:
    if seen is None:
        return ""
    return f"{seen.date}{' not as here' if seen.wrong else ''}"
