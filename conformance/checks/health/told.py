"""What the kubelet itself was told of devices' health, on the stream that it has opened."""

from collections.abc import Iterator

from conformance.cluster.healthwatch import Key
from conformance.cluster.kubelet.health import METHOD
from conformance.history import Event, History

SICK = "UNHEALTHY"


def told(history: History, driver: str, key: Key, since: int) -> list[str]:
    """What each report from `since` on that names the device said of it, in order."""
    reports = (event for event in _stream(history, driver, since) if event["phase"] == "message")
    rows = (row for event in reports for row in event["response"]["devices"])
    return [row["health"] for row in rows if (row["device"]["pool_name"], row["device"]["device_name"]) == key]


def listens(history: History, driver: str) -> bool:
    """Whether the kubelet has a stream open."""
    streams = {event["id"]: event["phase"] for event in _stream(history, driver, 0)}
    return any(phase != "end" for phase in streams.values())


def _stream(history: History, driver: str, since: int) -> Iterator[Event]:
    def is_kubelets(event: Event) -> bool:
        return (event["method"], event["driver"], event["source"]) == (METHOD, driver, "kubelet")

    return history.events("rpc", is_kubelets, since)
