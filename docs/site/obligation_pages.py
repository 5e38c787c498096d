"""The obligations: level, words, source, the checks that cover each, usual causes when it is broken."""

from collections.abc import Iterator

from markup import prose

from conformance.advice import advice
from conformance.catalogue import covering
from conformance.requirement import Level, Requirement, catalogue


def obligation_link(id: str, folder: str) -> str:
    """A link to an obligation; folder: how `reference/` is reached from the page that links, "" or with a slash."""
    return f"[{id}]({folder}obligations.md#{id.lower()})"


def pages() -> Iterator[tuple[str, str]]:
    """(path, text) of the page."""
    known = list(catalogue().values())
    counts = ", ".join(f"{sum(row.level is level for row in known)} {level}" for level in Level)
    open_ones = sum(not covering(row.id) for row in known)
    head = (
        f"The {len(known)} obligations of a DRA driver: {counts}. {open_ones} of them no check can observe; each says"
        " why. The source is what states it in Kubernetes v1.37.2, or relies on it. Where neither says MUST or SHOULD,"
        " the level is our judgement, and is marked so."
    )
    texts = ["# Obligations", head]
    for area in dict.fromkeys(row.area for row in known):
        texts += [f"## {area}", *(_one(row) for row in known if row.area == area)]
    yield "reference/obligations.md", "\n\n".join(texts) + "\n"


def _one(row: Requirement) -> str:
    level = f"{row.level}{' (our judgement)' if row.judgement else ''}"
    asked = f" of drivers with the feature {row.feature}" if row.feature else ""
    lines = [
        f"### {row.id} {{ #{row.id.lower()} }}",
        f"**{level}**, since Kubernetes {row.since}{asked}. {prose(row.statement)}",
    ]
    lines.append(f"Source: {prose(row.source)}")
    checks = ", ".join(f"[{e.check.id}](checks/{e.check.area}.md#{e.check.id})" for e in covering(row.id))
    lines.append(f"Checks: {checks}" if checks else f"No check: {prose(row.unchecked) or 'none yet'}")
    told = advice().get(row.id)
    if told:
        causes = "\n".join(f"    - {prose(cause)}" for cause in told.causes)
        lines.append(
            f'??? note "Usual causes when it is broken, and how to mend it"\n\n{causes}\n\n    {prose(told.fix)}'
        )
    return "\n\n".join(lines)
