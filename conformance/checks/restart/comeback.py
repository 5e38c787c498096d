"""Whether a driver comes back with what it had prepared."""

from conformance.cluster import Installation
from conformance.verdict import WaitTimeout


def trouble_after_restart(driver: Installation) -> str:
    """Kill the driver and start it again; "" when it is ready in time, else what it hangs on."""
    try:
        driver.restart()
    except WaitTimeout as reason:
        return str(reason)
    return ""
