"""Which worker runs which check."""

import pytest

from conformance.catalogue import all_checks
from conformance.check import Check, Tier
from conformance.session.options import ON_DEMAND
from conformance.session.order import ordered
from conformance.session.plan import LONG, USUAL, planned

CHECKS = [entry.check for entry in all_checks().values()]
KNOWN = {check.id: check for check in CHECKS}


def check(id: str, *needs: str, at_end: bool = False) -> Check:
    return Check(id, (), needs=needs, at_end=at_end)


def kills(id: str, *needs: str) -> Check:
    return Check(id, (), needs=needs, tier=Tier.DISRUPT_DRIVER)


def test_what_only_observes_and_what_judges_the_whole_run_share_the_first_lane() -> None:
    found = planned([check("a.one"), check("b.one"), kills("c.kills"), check("d.end", at_end=True)], 2)
    assert found == {"a.one": 0, "b.one": 0, "c.kills": 1, "d.end": 0}


def test_a_check_goes_where_it_begins_first() -> None:
    kept = [kills(f"c.kills{number}") for number in range(9)]
    found = planned([check("a.one"), *kept], 3)
    assert {lane: list(found.values()).count(lane) for lane in range(3)} == {0: 4, 1: 3, 2: 3}


@pytest.mark.parametrize("lanes", [0, 1])
def test_one_lane_has_everything(lanes: int) -> None:
    assert set(planned([check("a.one"), kills("b.kills")], lanes).values()) == {0}


def test_two_lanes_of_the_suite_take_about_as_long() -> None:
    """Else a whole run waits for one of them."""
    checks = [check for check in CHECKS if check.profile not in ON_DEMAND]
    found = planned(checks, 2)
    spent = [0.0, 0.0]
    for each in checks:
        spent[found[each.id]] += LONG.get(each.id, USUAL[each.tier])
    assert max(spent) < 1.2 * min(spent)


def test_expected_times_are_of_checks_that_there_are() -> None:
    assert set(LONG) <= set(all_checks())


def test_what_disturbs_comes_after_what_observes() -> None:
    found = planned(CHECKS, 2)
    first = [KNOWN[id] for id, lane in found.items() if lane == 0 and not KNOWN[id].at_end]
    disturbs = [each.tier is not Tier.OBSERVE for each in first]
    assert disturbs == sorted(disturbs)


@pytest.mark.parametrize("lanes", [2, 3, 8])
def test_what_a_check_needs_is_before_it_so_that_no_two_lanes_wait_for_each_other(lanes: int) -> None:
    place = {id: number for number, id in enumerate(planned(CHECKS, lanes))}
    assert len(place) == len(CHECKS)
    assert all(place[needed] < place[each.id] for each in CHECKS for needed in each.needs)


def test_one_lane_keeps_the_usual_order() -> None:
    assert list(planned(CHECKS, 1)) == ordered(CHECKS)


def test_needs_that_go_in_a_circle_or_nowhere_do_no_harm() -> None:
    circle = [check("a.one", "a.two"), kills("a.two", "a.one", "a.gone")]
    assert set(planned(circle, 2)) == {"a.one", "a.two"}
