"""Whether a driver comes back with what it had prepared."""

from collections.abc import Callable

from conformance.cluster import Installation
from conformance.verdict import WaitTimeout


def trouble_after_restart(driver: Installation) -> str:
    """Kill the driver and start it again; "" when it is ready in time, else what it hangs on."""
    return _trouble(driver.restart)


def trouble_until_ready(driver: Installation) -> str:
    """Wait for a driver that was started; "" when it is ready in time, else what it hangs on."""
    return _trouble(lambda: driver.wait_ready(timeout=driver.target.ready_within))


def _trouble(come_back: Callable[[], object]) -> str:
    try:
        come_back()
    except WaitTimeout as reason:
        return str(reason)
    return ""
