"""How far a pod has come is read off what kubelets write: statuses and events as Kubernetes 1.34 to 1.37 have them."""

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.checks.start import failures, is_answered, prepared, refusals, unregistered, wait_running

Object = dict[str, Any]
UNKNOWN = "Failed to prepare dynamic resources: prepare dynamic resources: DRA driver gpu.example.com is not registered"
REFUSED = (
    "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for ResourceClaim "
    "user-devices-x: the hardware does not answer"
)
UNRESOLVED = "Error: failed to generate spec: CDI device injection failed: unresolvable CDI devices a.example.com/gpu=x"


class FakePod:
    """A pod as the API shows it."""

    def __init__(self, status: Object | None = None, events: Sequence[Object] = ()) -> None:
        self.status = status or {}
        self.told = list(events)

    @property
    def phase(self) -> str:
        return str(self.status.get("phase", "Pending"))

    def get(self) -> Object:
        return {"status": self.status}

    def events(self) -> list[Object]:
        return self.told


def pod(status: Object | None = None, *events: Object) -> Any:
    return FakePod(status, events)


def failed(message: str, **more: Any) -> Object:
    return {"reason": "FailedPrepareDynamicResources", "message": message, **more}


def waiting(reason: str) -> Object:
    return {"containerStatuses": [{"name": "main", "state": {"waiting": {"reason": reason}}}]}


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        ({}, False),
        (waiting("ContainerCreating"), False),
        (waiting("PodInitializing"), False),
        (waiting("CreateContainerError"), True),
        (waiting("ErrImagePull"), True),
        ({"containerStatuses": [{"name": "main", "state": {"running": {}}}]}, True),
        ({"containerStatuses": [{"name": "main", "state": {}, "containerID": "containerd://1"}]}, True),
        ({"conditions": [{"type": "PodReadyToStartContainers", "status": "False"}]}, False),
        ({"conditions": [{"type": "PodReadyToStartContainers", "status": "True"}]}, True),
    ],
)
def test_what_comes_after_preparing_shows_that_it_is_over(status: Object, wanted: bool) -> None:
    assert prepared(pod(status)) is wanted


def test_a_driver_that_fails_is_known_and_one_that_is_unknown_is_not() -> None:
    unknown, refused = pod({}, failed(UNKNOWN)), pod({}, failed(REFUSED))
    assert (is_answered(unknown), unregistered(unknown, "gpu.example.com")) == (False, UNKNOWN)
    assert (is_answered(refused), unregistered(refused, "gpu.example.com")) == (True, "")
    assert unregistered(unknown, "nic.example.com") == ""


def test_tries_are_counted_however_events_count_them() -> None:
    assert failures(pod({}, failed("a", count=2), failed("b", series={"count": 3}), failed("c"))) == [*"aabbbc"]
    assert failures(pod({}, {"reason": "Scheduled", "message": "a"})) == []


def test_refusals_of_the_runtime_end_the_wait_and_others_do_not() -> None:
    refused = pod({}, {"reason": "Failed", "message": UNRESOLVED, "count": 3})
    assert refusals(refused) == [UNRESOLVED] * 3
    assert not wait_running(refused, timeout=60)
    assert refusals(pod({}, {"reason": "Failed", "message": "Error: ErrImagePull"})) == []
