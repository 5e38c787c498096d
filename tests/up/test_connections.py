"""What is told of a driver's registration and connection, event by event."""

import pytest

from conformance.history import History
from conformance.up.connections import Connections

REGISTERED = "driver d is registered on n"
LOST = "driver d has lost its connection on n"


def told(*happened: str) -> list[str]:
    """What is said of actions of the kubelet, and of ends and starts of the driver's process."""
    history, connections = History(), Connections()
    said = []
    for action in happened:
        if action == "ended":
            connections.ended("d")
        elif action == "started again":
            connections.started_again("d")
        else:
            said.append(connections.told(history.record("kubelet", node="n", action=action, driver="d", details="")))
    return [sentence for sentence in said if sentence]


REGISTERING = ("unusable", "usable", "registered")
ANEW = ("unusable", "deregistered", *REGISTERING)


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        ((), []),
        (("unusable",), [LOST]),
        (("unusable", "wiped"), [LOST, "driver d stayed away, so its ResourceSlices of n were deleted"]),
        (("unusable", "usable"), [LOST, "driver d is connected again on n"]),
        (("unusable", *ANEW), [LOST, "driver d is no longer registered on n", REGISTERED]),
        (("ended", "unusable", "started again", *ANEW), [LOST, REGISTERED]),
        (("ended", "started again", "unusable", *ANEW), [REGISTERED]),
        (("ended", "started again", "ended", "deregistered"), ["driver d is no longer registered on n"]),
    ],
)
def test_each_change_is_told_once(happened: tuple[str, ...], said: list[str]) -> None:
    assert told(*REGISTERING, *happened) == [REGISTERED, *said]


def test_slices_that_go_at_the_start_of_the_kubelet_are_of_no_driver() -> None:
    assert Connections().told(History().record("kubelet", node="n", action="wiped", driver="", details="")) == ""
