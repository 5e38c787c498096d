"""Slices are written when something changed, and not otherwise."""

from conformance.check import check
from conformance.checks.publishing.rewrites import after_starts, rewrites
from conformance.cluster import Installation
from conformance.expect import Expect
from conformance.history import Event, History
from conformance.verdict import Inconclusive

ENOUGH = 5.0  # seconds of watching that show a driver which writes all the time


@check(
    id="publishing.quiet",
    covers=("RS-11",),
    needs=("publishing.pool_complete",),
    at_end=True,
)
def test_quiet(history: History, driver: Installation, expect: Expect) -> None:
    """Over the whole run, the driver writes no slice anew when nothing about its pool changed."""
    name = driver.target.driver_name

    def ours(event: Event) -> bool:
        return event["resource"] == "resourceslices" and bool(event["object"]["spec"]["driver"] == name)

    first = next(history.events("api", ours), None)
    if first is None:
        raise Inconclusive("the history holds no slice of the driver, so there is nothing to look at")
    history.watch_for(ENOUGH, after=first)
    starts = [event.seq for event in history.events("process", lambda event: event["phase"] == "started")]
    needless = after_starts(rewrites(history.events("api", ours)), starts)
    expect("RS-11").equal(needless, [], "slices are not written again when nothing changed")
