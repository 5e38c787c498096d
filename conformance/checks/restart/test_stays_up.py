"""A driver ends when it is told to, and not otherwise."""

from conformance.check import check
from conformance.checks.restart.exits import exits
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.history import History


@check(
    id="restart.stays_up",
    covers=("REG-20",),
    needs=("publishing.pool_complete",),
    at_end=True,
)
def test_stays_up(cluster: Cluster, history: History, driver: Installation, expect: Expect) -> None:
    """Over the whole run, no process of the driver ended by itself while it was only called."""
    # What is made up of one machine beside these nodes has no ports, say, of its own: an end there proves nothing.
    nodes = {node.name for node in cluster.backend.nodes}
    events = (event for event in history.events() if event.kind != "process" or event["node"] in nodes)
    found = exits(events, driver.target.driver_name)
    # Where a check disturbed driver or node, that check judges what came of it.
    serving = [str(end) for end in found if end.undisturbed]
    expect("REG-20").equal(serving, [], "the driver keeps serving while nothing but calls disturbs it")
