"""The claim that asks for everything twice is one that the driver takes."""

import pytest

from conformance.checks.preparation.twice import twice
from conformance.verdict import NotApplicable

REQUEST = {"name": "gpu", "exactly": {"deviceClassName": "c"}}


def test_requests_come_again_configured_like_the_first() -> None:
    claim = {"devices": {"requests": [REQUEST], "config": [{"requests": ["gpu"], "opaque": {}}, {"opaque": {}}]}}
    devices = twice(claim)["devices"]
    assert [request["name"] for request in devices["requests"]] == ["gpu", "gpu-again"]
    assert devices["config"] == [{"requests": ["gpu", "gpu-again"], "opaque": {}}, {"opaque": {}}]


def test_subrequests_keep_their_names() -> None:
    wish = {"name": "gpu", "firstAvailable": [{"name": "big", "deviceClassName": "c"}]}
    claim = {"devices": {"requests": [wish], "config": [{"requests": ["gpu/big"], "opaque": {}}]}}
    assert twice(claim)["devices"]["config"] == [{"requests": ["gpu/big", "gpu-again/big"], "opaque": {}}]


def test_all_devices_cannot_be_had_twice() -> None:
    request = {"name": "gpu", "exactly": {"deviceClassName": "c", "allocationMode": "All"}}
    with pytest.raises(NotApplicable):
        twice({"devices": {"requests": [request]}})
