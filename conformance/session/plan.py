"""Which worker runs which check, where a run has several: its lanes. Pure functions over headers."""

from collections.abc import Mapping, Sequence

from conformance.check import Check, Tier
from conformance.session.order import BEFORE_KILLS, ordered

USUAL = {Tier.OBSERVE: 0.12, Tier.DISRUPT_DRIVER: 0.4, Tier.DISRUPT_NODE: 0.4}
"""Seconds that most checks of a tier take on the embedded cluster, where a driver does as the reference driver."""
LONG = {
    "unpreparing.late_retry": 2.2,
    "health.refreshed": 1.0,
    "registration.clean_exit": 0.8,
    "publishing.started_again": 1.4,
    "health.gone_device": 2.3,
    "taints.kept": 1.6,
    "restart.killed_midway": 3.9,
    "restart.prepared_at_once": 2.4,
    "upgrade.across_nodes": 1.0,
    "restart.node_lost": 1.3,
}
"""Those that take longer; what is wrong here costs time only."""


def planned(checks: Sequence[Check], lanes: int) -> dict[str, int]:
    """The lane of each check, from 0 on, by id; within a lane they run in their usual order.

    Lane 0 has all checks that only observe, so that they see a driver that nobody has disturbed and everything that it
    shows of itself, and those at the end. Others go where they would begin first: each waits for what it needs, in
    whatever lane that is. As all follow one order, no two lanes ever wait for each other.
    """
    known = {check.id: check for check in checks}
    busy = [0.0] * max(lanes, 1)  # until when, in seconds from the start
    ends: dict[str, float] = {}
    found: dict[str, int] = {}
    for check in (known[id] for id in ordered(list(checks))):
        starts = [max(free, _ready(check, ends)) for free in busy]
        first = 0 if _bound(check) else starts.index(min(starts))
        found[check.id] = first
        busy[first] = ends[check.id] = starts[first] + LONG.get(check.id, USUAL[check.tier])
    return found


def _bound(check: Check) -> bool:
    return check.tier is Tier.OBSERVE or check.at_end or check.id in BEFORE_KILLS


def _ready(check: Check, ends: Mapping[str, float]) -> float:
    return max((ends[needed] for needed in check.needs if needed in ends), default=0.0)
