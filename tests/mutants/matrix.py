"""The kill matrix as a page."""

from collections.abc import Mapping, Sequence

from conformance.catalogue import all_checks
from conformance.requirement import Level, catalogue
from tests.mutants.kills import killers
from tests.mutants.mutant import Mutant
from tests.mutants.seen import Seen, read_seen
from tests.variants import Judged

Rows = Sequence[tuple[Mutant, Mapping[str, Judged]]]

_HEAD = """# Kill matrix

What shows that the checks can fail: every check against every wrong driver, as `make mutants` wrote it. Each wrong
driver is one module of [tests/mutants](../tests/mutants), right but for what its sentence says. "On kind" is the day
when the same checks last found it on a real cluster; wrappers, and what needs faults of the API server or a whole run,
are not tried there.
"""


def page(rows: Rows) -> str:
    """Markdown: counts, wrong drivers with who found them, checks with what they kill."""
    killed = [mutant for mutant, judged in rows if killers(judged)]
    owed = [r for r in catalogue().values() if r.level is Level.MUST and not r.unchecked]
    proved = {id for mutant, judged in rows for id in _broken(judged)}
    counts = (
        f"{len(rows)} wrong drivers, {len(killed)} of them killed; {len(all_checks())} checks; of {len(owed)} MUST that"
        f" can be checked, {sum(r.id in proved for r in owed)} are broken by a wrong driver and found broken."
    )
    return "\n".join([_HEAD, counts, "", *_by_mutant(rows), "", *_by_check(rows), ""])


def _by_mutant(rows: Rows) -> list[str]:
    there = read_seen()
    lines = ["## Wrong drivers", "", "| | what is wrong | breaks | found by | on kind |", "|---|---|---|---|---|"]
    for mutant, judged in rows:
        cells = (
            mutant.name,
            mutant.title,
            " ".join(_broken(judged)),
            ", ".join(sorted(killers(judged))) or "**nobody**",
            _on_kind(there.get(mutant.name)),
        )
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def _by_check(rows: Rows) -> list[str]:
    lines = ["## Checks", "", "| check | kills |", "|---|---|"]
    for id in all_checks():
        kills = [mutant.name for mutant, judged in rows if id in killers(judged)]
        lines.append(f"| {id} | {' '.join(kills) or '**nothing**'} |")
    return lines


def _on_kind(seen: Seen | None) -> str:
    if seen is None:
        return ""
    return f"{seen.date}{' not as here' if seen.wrong else ''}"


def _broken(judged: Mapping[str, Judged]) -> list[str]:
    return sorted({id for check in killers(judged) for id in judged[check].broken})
