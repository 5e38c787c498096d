"""A driver ends when it is told to, and not otherwise."""

from conformance.check import check
from conformance.checks.restart.exits import exits
from conformance.cluster import Installation
from conformance.expect import Expect
from conformance.history import History


@check(
    id="restart.stays_up",
    covers=("REG-20", "OPS-03"),
    needs=("registration.registers",),
    at_end=True,
)
def test_stays_up(history: History, driver: Installation, expect: Expect) -> None:
    """Over the whole run, no process of the driver ended by itself."""
    found = exits(history.events(), driver.target.driver_name)
    # Where a check disturbed the node, a driver may count on being restarted, as its DaemonSet would.
    serving = [str(end) for end in found if end.undisturbed]
    expect("REG-20").equal(serving, [], "the driver keeps serving while it is only called")
    expect("OPS-03").equal([str(end) for end in found], [], "the driver runs until it is told to end")
