"""Checks run area by area, what is needed first, and those judged at the end last."""

from conformance.check import Check, Tier
from conformance.session.order import ordered


def check(id: str, *needs: str, at_end: bool = False) -> Check:
    return Check(id, (), needs=needs, at_end=at_end)


def test_areas_come_in_order() -> None:
    checks = [check("upgrade.a"), check("preparation.b"), check("registration.c"), check("odd.d")]
    assert ordered(checks) == ["registration.c", "preparation.b", "upgrade.a", "odd.d"]


def test_what_disturbs_less_comes_first() -> None:
    killed = Check("registration.killed", (), tier=Tier.DISRUPT_DRIVER)
    rebooted = Check("publishing.rebooted", (), tier=Tier.DISRUPT_NODE)
    found = ordered([rebooted, killed, check("upgrade.asks", "registration.killed"), check("preparation.asks")])
    assert found == ["preparation.asks", "registration.killed", "upgrade.asks", "publishing.rebooted"]


def test_what_would_wait_for_a_driver_just_started_comes_before_the_kills() -> None:
    killed = Check("registration.killed", (), tier=Tier.DISRUPT_DRIVER)
    kubelet_restarted = Check("publishing.republish", (), tier=Tier.DISRUPT_NODE)
    assert ordered([killed, kubelet_restarted, check("a.asks")]) == ["a.asks", "publishing.republish", killed.id]


def test_what_is_needed_comes_first() -> None:
    checks = [check("registration.late", "publishing.pool"), check("publishing.pool", "registration.first")]
    checks.append(check("registration.first"))
    assert ordered(checks) == ["registration.first", "publishing.pool", "registration.late"]


def test_checks_judged_at_the_end_come_last() -> None:
    checks = [check("registration.end", at_end=True), check("scale.many"), check("allocation.one", "scale.many")]
    assert ordered(checks) == ["scale.many", "allocation.one", "registration.end"]


def test_needs_that_go_in_a_circle_or_nowhere_do_no_harm() -> None:
    assert sorted(ordered([check("a.one", "a.two"), check("a.two", "a.one", "a.gone")])) == ["a.one", "a.two"]
