"""Claims are made up of what the driver offers, and become small where they show a fault."""

from typing import Any

import pytest
from hypothesis import given, settings

from conformance.chance import Chance
from conformance.checks.allocation.drawing import Drawn, Offer, claims
from conformance.checks.allocation.expressions import common_attributes, expressions
from conformance.checks.allocation.selection import selects
from conformance.checks.allocation.test_drawn_claims import Trial
from conformance.checks.allocation.trying import Wrong
from conformance.target import Target

DRIVER = "gpu.example.com"
DEVICES: list[dict[str, Any]] = [
    {
        "name": f"gpu-{number}",
        "attributes": {
            "index": {"int": number},
            "uuid": {"string": f'gpu "{number}"'},
            "acme.example/good": {"bool": True},
            "version": {"version": "1.2.3"},
            "in": {"int": 1},
        },
        "capacity": {"memory": {"value": "80Gi"}},
    }
    for number in range(3)
]


def test_every_expression_can_be_asked_of_every_device() -> None:
    for expression in expressions(DRIVER, DEVICES):
        assert [selects([{"cel": {"expression": expression}}], DRIVER, device) for device in DEVICES]


def test_what_some_devices_lack_is_not_asked_for() -> None:
    devices = [DEVICES[0], {"name": "bare"}]
    assert expressions(DRIVER, devices) == [f'device.driver == "{DRIVER}"']
    assert common_attributes(DRIVER, devices) == []


@pytest.fixture(scope="module")
def offer() -> Offer:
    return Offer(Target.load("reference"), DEVICES, 3)


def test_a_claim_never_asks_for_more_than_there_is_room_for(offer: Offer) -> None:
    @settings(max_examples=50, derandomize=True, database=None)
    @given(claims(offer))
    def fits(drawn: Drawn) -> None:
        requests = drawn.spec["devices"]["requests"]
        assert sum(request["exactly"].get("count", 1) for request in requests) <= offer.room
        assert len({request["name"] for request in requests}) == len(requests)

    fits()


class Fake:
    """A driver that can do no more than two devices of a request."""

    allocated = 0

    def try_out(self, drawn: Drawn) -> None:
        for request in drawn.spec["devices"]["requests"]:
            if request["exactly"].get("count", 1) > 2:
                raise Wrong("PREP-21", "three are too many")


def test_the_smallest_claim_that_shows_a_fault_is_told(offer: Offer) -> None:
    found = Trial(Fake()).smallest_wrong(offer, Chance.of(1, "a.check"))  # type: ignore[arg-type]
    assert found == {
        "PREP-21": "three are too many, with\n"
        "# used by 1 pod(s) with 1 container(s) each\n"
        "devices:\n  requests:\n  - name: device\n    exactly:\n"
        "      deviceClassName: gpu.example.com\n      count: 3\n"
    }
