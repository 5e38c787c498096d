"""An orderly end leaves no socket behind."""

import signal
import stat
from pathlib import Path

from conformance.check import Tier, check
from conformance.cluster import Installation, Node
from conformance.expect import Expect
from conformance.history import History
from conformance.verdict import Inconclusive

SETTLED = (1.0, 10.0)  # seconds after its start at which the driver is told to end: at first, and once more


@check(
    id="registration.clean_exit",
    covers=("REG-17",),
    needs=("registration.advertised_services", "publishing.pool_complete"),
    tier=Tier.DISRUPT_DRIVER,
)
def test_clean_exit(node: Node, driver: Installation, expect: Expect, history: History) -> None:
    """On SIGTERM the driver ends and removes its registration and DRA sockets."""
    for seconds in SETTLED:
        status, left = told_to_end(node, driver, history, seconds)
        if status != -signal.SIGTERM or not left:
            break
        driver.restore()  # the signal itself killed it: perhaps it had not come to handling signals yet
    ended = status is not None
    expect("REG-17").true(ended, "the driver ends in time after SIGTERM", "still running" if not ended else status)
    expect("REG-17").equal(left, [], "no socket of the driver is left")


def told_to_end(node: Node, driver: Installation, history: History, seconds: float) -> tuple[int | None, list[str]]:
    """Exit status after a SIGTERM, `seconds` after the start at the earliest, and the sockets that are left."""
    registration = node.wait_registered(driver.target.driver_name)[-1]
    own = {registration.socket, node.host_path(registration.endpoint or str(registration.socket))}
    if not all(is_socket(path) for path in own):
        raise Inconclusive(f"not all sockets of the driver can be seen from here: {sorted(map(str, own))}")
    instance = driver.instances[-1]
    started = history.last("process", lambda e: e["phase"] == "started" and e["instance"] == instance.uid)
    if started is None:
        raise Inconclusive("the history does not say when the driver was started")
    history.watch_for(seconds, after=started)
    status = instance.terminate()
    return status, sorted(path.name for path in own if is_socket(path))


def is_socket(path: Path) -> bool:
    """Whether a socket file is there."""
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except FileNotFoundError:
        return False
