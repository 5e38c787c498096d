"""Whether the DRA service answers on the driver's endpoint."""

from pathlib import Path

from conformance.cluster import Answer, Installation, Node, seen_within
from conformance.cluster.kubelet.registration import KUBELET_DIR

SOON = 5.0  # seconds for the connection to the endpoint to come up
_NOT_SERVED = ("UNAVAILABLE", "UNIMPLEMENTED", "DEADLINE_EXCEEDED")


def unanswered(node: Node, driver: Installation, version: str | None = None) -> str:
    """Ask it to unprepare no claim, which touches nothing; "" when it answers, were it with a refusal, else why not."""
    answers: list[Answer] = []

    def reached() -> bool:
        answers.append(node.unprepare(driver=driver.target.driver_name, version=version))
        return answers[-1].code != "UNAVAILABLE"

    seen_within(reached, SOON)
    return answers[-1].error if answers[-1].code in _NOT_SERVED else ""


def endpoint_of(node: Node, endpoint: str) -> Path:
    """Where an endpoint of GetInfo is seen from here, also that of a driver in a container, which has its own paths."""
    path = endpoint.removeprefix("unix:")
    seen, below = node.host_path(path), path.removeprefix(KUBELET_DIR)
    return node.plugins_dir.parent / below if below != path and str(seen) == path else seen
