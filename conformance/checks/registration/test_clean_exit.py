"""An orderly end leaves no socket behind."""

import stat
from pathlib import Path

from conformance.check import Tier, check
from conformance.cluster import Installation, Node
from conformance.expect import Expect
from conformance.verdict import Inconclusive


@check(
    id="registration.clean_exit",
    covers=("REG-17",),
    needs=("registration.registers",),
    tier=Tier.DISRUPT_DRIVER,
)
def test_clean_exit(node: Node, driver: Installation, expect: Expect) -> None:
    """On SIGTERM the driver ends and removes its registration and DRA sockets."""
    registration = node.wait_registered(driver.target.driver_name)[-1]
    own = {registration.socket, node.host_path(registration.endpoint or str(registration.socket))}
    if not all(is_socket(path) for path in own):
        raise Inconclusive(f"not all sockets of the driver can be seen from here: {sorted(map(str, own))}")
    status = driver.instances[-1].terminate()
    ended = status is not None
    expect("REG-17").true(ended, "the driver ends within 30 s of SIGTERM", "still running" if not ended else status)
    left = sorted(path.name for path in own if is_socket(path))
    expect("REG-17").equal(left, [], "no socket of the driver is left")


def is_socket(path: Path) -> bool:
    """Whether a socket file is there."""
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except FileNotFoundError:
        return False
