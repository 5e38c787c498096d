"""Whether a mutant was killed as it should be: by its checks, and by no other."""

from collections.abc import Iterable, Mapping

from conformance.catalogue import all_checks
from conformance.check import Check
from conformance.session.options import ON_DEMAND
from conformance.verdict import Verdict
from tests.mutants.mutant import Mutant
from tests.variants import Judged

FINDING = (Verdict.FAIL, Verdict.WARN)
UNTOUCHED = (Verdict.PASS, Verdict.BLOCKED, Verdict.NOT_APPLICABLE, Verdict.INFO)


def killers(judged: Mapping[str, Judged]) -> set[str]:
    """Ids of the checks that found something."""
    return {id for id, row in judged.items() if row.verdict in FINDING}


def complaints(mutant: Mutant, judged: Mapping[str, Judged], *, whole: bool = False) -> list[str]:
    """What is not as the mutant's module says, a sentence each; none when it was killed as it should be.

    In a `whole` run checks may be INCONCLUSIVE: a wrong driver keeps pods waiting, and does not get ready. Not all that
    catch it must come to that then, as long as one check finds it.
    """
    found = killers(judged) - mutant.own - set(mutant.also)
    # Drivers of others lack hooks that some checks need.
    untouched = {*UNTOUCHED, *((Verdict.NOT_RUN,) if mutant.wraps else ()), *((Verdict.INCONCLUSIVE,) if whole else ())}
    broken = {id for check in found for id in judged[check].broken}
    said = []
    wanted = set(mutant.caught_by)
    if whole and killers(judged) - mutant.own:
        wanted -= {id for id in wanted if judged[id].verdict is Verdict.INCONCLUSIVE}
    if found != wanted:
        said.append(f"found by {_listed(found)}, and not by {_listed(mutant.caught_by)}")
    if mutant.breaks and wanted == set(mutant.caught_by) and broken != set(mutant.breaks):
        said.append(f"found to break {_listed(broken)}, and not {_listed(mutant.breaks)}")
    said += [
        f"{id} could not judge: {row.verdict}, {row.message}"
        for id, row in judged.items()
        if id not in found | mutant.own | set(mutant.also) and row.verdict not in untouched
    ]
    return said


def selection(mutant: Mutant) -> list[str]:
    """Ids of the checks that catch it, of all others of their areas, and of what these need.

    All checks, where one that catches it judges what all have done. Those that are run on demand only where they catch
    it, or one that does needs them.
    """
    checks = _checks(mutant)
    if any(checks[id].at_end for id in mutant.caught_by):
        return list(checks)
    areas = {checks[id].area for id in mutant.caught_by}
    return _with_needs([id for id, check in checks.items() if check.area in areas], checks)


def covering(mutant: Mutant) -> list[str]:
    """Ids of the checks that catch it, and of what these need."""
    return _with_needs(mutant.caught_by, _checks(mutant))


def whole_run(mutant: Mutant) -> list[str]:
    """Options for a run of all checks; of those that are run on demand only with those that catch it."""
    checks = _checks(mutant)
    on_demand = any(checks[id].profile in ON_DEMAND for id in mutant.caught_by)
    return [f"--check={id}" for id in checks] if on_demand else []


def _with_needs(ids: Iterable[str], checks: Mapping[str, Check]) -> list[str]:
    wanted, chosen = list(ids), set[str]()
    while wanted:
        id = wanted.pop()
        if id not in chosen:
            chosen.add(id)
            wanted += checks[id].needs
    return sorted(chosen)


def _checks(mutant: Mutant) -> dict[str, Check]:
    checks = {id: entry.check for id, entry in all_checks().items()}
    asked = _with_needs(mutant.caught_by, checks)
    return {id: row for id, row in checks.items() if row.profile not in ON_DEMAND or id in asked}


def _listed(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids)) or "nothing"
