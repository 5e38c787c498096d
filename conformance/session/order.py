"""The order in which checks run, and which of them must share a worker. Pure functions over headers."""

from collections.abc import Iterable, Mapping, Sequence

from conformance.check import Check, Tier

AREAS = (
    "registration",
    "publishing",
    "allocation",
    "preparation",
    "injection",
    "unpreparing",
    "admin",
    "health",
    "taints",
    "status",
    "metadata",
    "security",
    "restart",
    "upgrade",
    "alternatives",
    "conditions",
    "extended",
    "network",
    "partitions",
    "shares",
)
# It looks at what a driver does once it is through its start: it would wait for that after one that has the driver
# killed, and the kubelet's restart leaves the driver alone.
_BEFORE_KILLS = ("publishing.republish",)


def ordered(checks: Sequence[Check]) -> list[str]:
    """Ids of the checks in the order to run them: those that disturb less first, by area, what is needed before all.

    So a driver that has been disturbed is not judged by what it does next; those judged at the end come last.
    """
    known = {check.id: check for check in checks}
    wanted = sorted(known.values(), key=lambda check: (check.at_end, _rank(check)))
    done: dict[str, None] = {}
    for check in wanted:
        _place(check, known, done, set())
    return sorted(done, key=lambda id: known[id].at_end)


def _place(check: Check, known: Mapping[str, Check], done: dict[str, None], above: set[str]) -> None:
    if check.id in done or check.id in above:
        return
    for needed in sorted(check.needs, key=lambda id: _rank(known[id]) if id in known else (-1, -1)):
        if needed in known:
            _place(known[needed], known, done, above | {check.id})
    done[check.id] = None


def _rank(check: Check) -> tuple[int, int]:
    if check.id in _BEFORE_KILLS:
        return list(Tier).index(Tier.DISRUPT_DRIVER), -1
    area = AREAS.index(check.area) if check.area in AREAS else len(AREAS)
    return list(Tier).index(check.tier), area


def lanes(checks: Iterable[Check]) -> dict[str, str]:
    """The lane of each check, by id: checks that are joined by area or by `needs` run in one worker.

    Checks that are judged at the end and need nothing go where most checks are, as they judge one worker's history.
    """
    everything = list(checks)
    known = {check.id: check for check in everything}
    leader = {check.id: check.id for check in everything}

    def find(id: str) -> str:
        while leader[id] != id:
            id = leader[id]
        return id

    first_of_area: dict[str, str] = {}
    for check in everything:
        joined = [needed for needed in check.needs if needed in known]
        if not check.at_end:
            joined.append(first_of_area.setdefault(check.area, check.id))
        for other in joined:
            leader[find(check.id)] = find(other)
    found = {id: find(id) for id in known}
    return _with_company(found, known)


def _with_company(found: Mapping[str, str], known: Mapping[str, Check]) -> dict[str, str]:
    """Lanes in which only checks judged at the end would be are joined with the largest one."""
    active = [lane for id, lane in found.items() if not known[id].at_end]
    if not active:
        return dict(found)
    largest = max(active, key=active.count)
    return {id: lane if lane in active else largest for id, lane in found.items()}
