"""`dra-conformance coverage`: which checks cover which obligations, and the other way round."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from conformance.requirement import Requirement


@dataclass(frozen=True)
class Coverage:
    """One requirement and the ids of the checks that cover it."""

    requirement: "Requirement"
    checks: tuple[str, ...]

    @property
    def missing(self) -> bool:
        """Whether a check is owed: nobody has to check what is allowed, or what says why it is unchecked."""
        return not self.checks and self.requirement.level != "MAY" and not self.requirement.unchecked


def coverage_rows() -> list[Coverage]:
    """Every requirement: those without a check first, else in the order of the catalogue."""
    from conformance.catalogue import covering
    from conformance.requirement import catalogue

    rows = [Coverage(each, tuple(entry.check.id for entry in covering(each.id))) for each in catalogue().values()]
    return sorted(rows, key=lambda row: (bool(row.checks), bool(row.requirement.unchecked)))


def coverage(
    by_check: Annotated[bool, typer.Option("--checks", help="Show each check with what it covers instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, both ways.")] = False,
) -> int:
    """Show which checks cover which requirements, uncovered ones first, or what each check covers.

    Exit status: 0, 1 when a MUST or SHOULD has neither a check nor a reason why it cannot have one.
    """
    from conformance.catalogue import all_checks

    rows = coverage_rows()
    covers = {entry.check.id: entry.check.covers for entry in all_checks().values()}
    if as_json:
        typer.echo(json.dumps({"requirements": [_as_json(row) for row in rows], "checks": covers}, indent=2))
    elif by_check:
        _lines((id, " ".join(ids)) for id, ids in covers.items())
    else:
        _lines((row.requirement.id, row.requirement.level, _covered_by(row)) for row in rows)
    if not as_json:
        typer.echo(f"\n{summary(rows, len(covers))}")
    return 1 if any(row.missing for row in rows) else 0


def summary(rows: Sequence[Coverage], checks: int) -> str:
    """Counts in one line, such as `90 checks · MUST: 80 of 82 covered, 2 unchecked for a reason · …`."""
    from conformance.requirement import Level

    parts = [f"{checks} checks"]
    for level in Level:
        of = [row for row in rows if row.requirement.level is level]
        part = f"{level}: {sum(bool(row.checks) for row in of)} of {len(of)} covered"
        reasoned = sum(not row.checks and bool(row.requirement.unchecked) for row in of)
        missing = sum(row.missing for row in of)
        part += f", {reasoned} unchecked for a reason" if reasoned else ""
        parts.append(part + (f", {missing} missing" if missing else ""))
    return " · ".join(parts)


def _covered_by(row: Coverage) -> str:
    if row.checks:
        return " ".join(row.checks)
    if row.requirement.unchecked:
        return f"unchecked: {row.requirement.unchecked}"
    return "NO CHECK" if row.missing else "no check"


def _as_json(row: Coverage) -> dict[str, object]:
    requirement = row.requirement
    return {
        "id": requirement.id,
        "level": requirement.level.value,
        "profile": requirement.feature or "core",
        "checks": list(row.checks),
        "unchecked": requirement.unchecked,
    }


def _lines(rows: Iterable[Sequence[str]]) -> None:
    """Columns as wide as their widest cell; the last one is left as it is."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]) - 1)]
    for row in cells:
        start = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        typer.echo(f"{start}  {row[-1]}")
