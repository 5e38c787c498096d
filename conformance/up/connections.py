"""What the kubelet's events say of a driver, in a sentence each."""

from conformance.history import Event


class Connections:
    """Which drivers are registered and connected, as the events of a node's kubelet have it.

    A kubelet learns that a killed driver is no longer registered when the next one makes its socket anew. Where that
    one is known to be started already this is no news, so nothing is said of it.
    """

    def __init__(self) -> None:
        self._connected: set[str] = set()
        self._lost: set[str] = set()
        self._started_again: set[str] = set()

    def started_again(self, driver: str) -> None:
        """Another process of a registered driver was started."""
        self._started_again.add(driver)

    def ended(self, driver: str) -> None:
        """A process of the driver has ended."""
        self._started_again.discard(driver)

    def told(self, event: Event) -> str:
        """What is to be said of an event of the kind kubelet; "" for nothing."""
        driver, node = event["driver"], event["node"]
        match event["action"]:
            case "registered":
                self._connected.add(driver)
                self._lost.discard(driver)
                self._started_again.discard(driver)
                return f"driver {driver} is registered on {node}"
            case "unusable" if driver in self._connected:
                self._connected.discard(driver)
                self._lost.add(driver)
                return "" if driver in self._started_again else f"driver {driver} has lost its connection on {node}"
            case "usable" if driver in self._lost:
                self._lost.discard(driver)
                self._connected.add(driver)
                return "" if driver in self._started_again else f"driver {driver} is connected again on {node}"
            case "deregistered":
                self._connected.discard(driver)
                self._lost.discard(driver)
                return "" if driver in self._started_again else f"driver {driver} is no longer registered on {node}"
            case "wiped" if driver:  # without one: all slices of the node, at the kubelet's start
                return f"driver {driver} stayed away, so its ResourceSlices of {node} were deleted"
        return ""
