"""Which half of a device's capacity a claim may ask for."""

from typing import Any

import pytest

from conformance.checks.offered import Offer
from conformance.checks.shares.shareable import half_of
from conformance.checks.shares.test_policy import strange_defaults


def offer(**policy: Any) -> Offer:
    memory = {"value": "8Gi", **({"requestPolicy": policy} if policy else {})}
    return Offer({"deviceClassName": "gpu"}, (("pool", {"name": "gpu-0", "capacity": {"memory": memory}}),))


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"default": "1Gi", "validRange": {"min": "1Gi"}},
        {"default": "1Gi", "validRange": {"min": "1Gi", "max": "4Gi", "step": "1Gi"}},
        {"default": "4Gi", "validValues": ["4Gi", "8Gi"]},
    ],
)
def test_a_half_that_policies_allow(policy: dict[str, Any]) -> None:
    half = half_of(offer(**policy))
    assert half
    assert half.exactly == {"deviceClassName": "gpu", "capacity": {"requests": {"memory": "4Gi"}}}


@pytest.mark.parametrize(
    "policy",
    [
        {"default": "5Gi", "validRange": {"min": "5Gi"}},
        {"default": "1Gi", "validRange": {"min": "1Gi", "max": "2Gi"}},
        {"default": "2Gi", "validRange": {"min": "1Gi", "step": "2Gi"}},
        {"default": "2Gi", "validValues": ["2Gi", "8Gi"]},
    ],
)
def test_a_half_that_they_do_not(policy: dict[str, Any]) -> None:
    assert half_of(offer(**policy)) is None


def test_a_device_without_capacity_is_shared_as_it_is() -> None:
    plain = Offer({"deviceClassName": "gpu"}, (("pool", {"name": "gpu-0"}),))
    assert half_of(plain) == plain


@pytest.mark.parametrize(
    ("policy", "strange"),
    [
        ({"default": "1Gi", "validRange": {"min": "1Gi"}}, []),
        ({"default": "1Gi", "validRange": {"min": "2Gi"}}, ["gpu-0: memory: default 1Gi"]),
        ({"default": "3Gi", "validValues": ["1Gi", "2Gi"]}, ["gpu-0: memory: default 3Gi"]),
        ({"validValues": ["1Gi"]}, ["gpu-0: memory: default None"]),
    ],
)
def test_defaults_are_what_may_be_asked_for(policy: dict[str, Any], strange: list[str]) -> None:
    assert strange_defaults(offer(**policy).rows[0][1]) == strange
