"""Slices that change together get a new generation together."""

from conformance.check import check
from conformance.checks.publishing.generations import mixed
from conformance.checks.publishing.test_quiet import ENOUGH
from conformance.cluster import Installation
from conformance.expect import Expect
from conformance.history import Event, History
from conformance.verdict import NotApplicable


@check(
    id="publishing.generation",
    covers=("RS-06",),
    needs=("publishing.pool_complete",),
    at_end=True,
)
def test_generation(history: History, driver: Installation, expect: Expect) -> None:
    """Over the whole run, no two slices of one pool and generation belonged to different states of the pool."""
    name = driver.target.driver_name

    def ours(event: Event) -> bool:
        return event["resource"] == "resourceslices" and bool(event["object"]["spec"]["driver"] == name)

    first = next(history.events("api", ours), None)
    if first:
        history.watch_for(ENOUGH, after=first)
    found = mixed(history.events("api", ours))
    if not found.several:
        raise NotApplicable("no pool of the driver had more than one slice at any time")
    expect("RS-06").equal(found.texts, [], "slices that change together get the same new generation")
