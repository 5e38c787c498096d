"""Whatever happens in a run, the driver takes note of being registered."""

from conformance.check import check
from conformance.cluster import Installation, Node, need_calls, seen_within
from conformance.expect import Expect
from conformance.history import Event, History
from conformance.verdict import Inconclusive

UNREACHED = ("UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED")
"""How calls end that a driver was killed in, or that came too late: these say nothing."""


@check(
    id="registration.every_notification",
    covers=("REG-12",),
    needs=("registration.registers",),
    at_end=True,
)
def test_every_notification(node: Node, history: History, driver: Installation, expect: Expect) -> None:
    """Over the whole run, each call of the kubelet that said that the driver is registered ended without an error."""
    need_calls(node)
    target = driver.target
    seen_within(lambda: node.registrations(target.driver_name), target.ready_within)
    told = list(history.events("rpc", lambda event: is_good_news(event, target.driver_name)))
    if not told:
        raise Inconclusive("no driver was told in this run that it is registered, so there is nothing to look at")
    failed = [f"{event['code']}: {event['details']}" for event in told if event["code"] not in ("OK", *UNREACHED)]
    expect("REG-12").equal(failed, [], "NotifyRegistrationStatus(plugin_registered=true) succeeds each time")


def is_good_news(event: Event, driver: str) -> bool:
    """Whether it is the end of the kubelet's call that tells the driver that it is registered."""
    call = (event["phase"], event["method"], event["driver"], event["source"])
    told = call == ("end", "NotifyRegistrationStatus", driver, "kubelet")
    return told and bool((event["request"] or {}).get("plugin_registered"))
