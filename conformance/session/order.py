"""The order in which checks run. Pure functions over headers."""

from collections.abc import Mapping, Sequence

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
BEFORE_KILLS = ("publishing.republish",)
"""It looks at what a driver does once it is through its start: it would wait for that after one that has the driver
killed, and the kubelet's restart leaves the driver alone."""


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
    if check.id in BEFORE_KILLS:
        return list(Tier).index(Tier.DISRUPT_DRIVER), -1
    area = AREAS.index(check.area) if check.area in AREAS else len(AREAS)
    return list(Tier).index(check.tier), area
