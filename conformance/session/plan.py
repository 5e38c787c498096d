"""Which worker runs which check, where a run has several: its lanes. Pure functions over headers."""

import math
from collections.abc import Sequence

from conformance.check import Check, Tier
from conformance.session.order import BEFORE_KILLS, ordered

USUAL = {Tier.OBSERVE: 0.085, Tier.DISRUPT_DRIVER: 0.35, Tier.DISRUPT_NODE: 0.5}
"""Seconds that most checks of a tier take on the embedded cluster, where a driver does as the reference driver."""
LONG = {
    "registration.dropped_connection": 0.6,
    "preparation.each_node": 0.5,
    "unpreparing.late_retry": 2.1,
    "health.refreshed": 1.0,
    "registration.clean_exit": 0.8,
    "registration.refused": 0.7,
    "publishing.started_again": 1.3,
    "health.gone_device": 2.3,
    "taints.kept": 1.6,
    "restart.killed_midway": 3.7,
    "restart.prepared_at_once": 2.4,
    "upgrade.across_nodes": 1.0,
    "upgrade.failed": 0.7,
    "restart.node_lost": 1.3,
}
"""Those that take longer; what is wrong here costs time only."""


def planned(checks: Sequence[Check], lanes: int) -> dict[str, int]:
    """The lane of each check, from 0 on, by id; within a lane they run in the order that they have here.

    Lane 0 has all checks that only observe, so that they see a driver that nobody has disturbed and everything that it
    shows of itself, and those at the end; one lane has all of them in their usual order. What a check needs is before
    it here, in whatever lane, and it waits for that: so no two lanes ever wait for each other.
    """
    known = {check.id: check for check in checks}
    order = [known[id] for id in ordered(list(checks))]
    found = _Plan([check for check in order if not check.at_end], max(lanes, 1)).made()
    return found | {check.id: 0 for check in order if check.at_end}


class _Plan:
    """Lanes as they fill: each takes next what can begin first, the usual order deciding between equals."""

    def __init__(self, order: Sequence[Check], lanes: int) -> None:
        self._rest = list(order)
        self._needs = {check.id: _before(check, order) for check in order}
        self._busy = [0.0] * lanes  # until when, in seconds from the start
        self._ends: dict[str, float] = {}
        self._lanes: dict[str, int] = {}

    def made(self) -> dict[str, int]:
        """The lane of each check."""
        while self._rest:
            lane = self._busy.index(min(self._busy))
            check = min(self._candidates(lane), key=lambda each: self._begin(each, lane), default=None)
            if check is None or self._begin(check, lane) == math.inf:
                # It stands idle until another one has got further.
                self._busy[lane] = min((busy for busy in self._busy if busy > self._busy[lane]), default=math.inf)
                continue
            self._busy[lane] = self._ends[check.id] = self._begin(check, lane) + _expected(check)
            self._lanes[check.id] = lane
            self._rest.remove(check)
        return self._lanes

    def _candidates(self, lane: int) -> Sequence[Check]:
        free = [check for check in self._rest if not _bound(check)]
        if lane == 0 and len(free) < len(self._rest):
            return self._rest[:1]
        tiers = list(Tier)
        return [check for check in free if check.tier is min((each.tier for each in free), key=tiers.index)]

    def _begin(self, check: Check, lane: int) -> float:
        return max([self._busy[lane], *(self._ends.get(needed, math.inf) for needed in self._needs[check.id])])


def _bound(check: Check) -> bool:
    return check.tier is Tier.OBSERVE or check.id in BEFORE_KILLS


def _before(check: Check, order: Sequence[Check]) -> list[str]:
    """What it needs and comes before it: needs that go in a circle do no harm."""
    return [other.id for other in order[: order.index(check)] if other.id in check.needs]


def _expected(check: Check) -> float:
    return LONG.get(check.id, USUAL[check.tier])
