"""How the registration of a driver went, as the history tells it."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.registration.attempt import wait_attempt
from conformance.history import History
from conformance.verdict import Inconclusive

INFO = {"type": "DRAPlugin", "name": "gpu.example.com", "endpoint": "", "supported_versions": ["v1.DRAPlugin"]}
NODE: Any = SimpleNamespace(name="node-a", sees_calls=True)
DRIVER: Any = SimpleNamespace(target=SimpleNamespace(driver_name="gpu.example.com"), instances=["one"])


def told(error: str) -> History:
    """A kubelet has asked a driver who it is, and told it how its registration ended."""
    history = History()
    call = {"phase": "end", "node": "node-a", "driver": "gpu.example.com", "instance": "/a.sock", "seconds": 0.01}
    call |= {"code": "OK", "details": ""}
    history.record("rpc", **call, method="GetInfo", request={}, response=INFO)
    request = {"plugin_registered": not error, "error": error}
    history.record("rpc", **call, method="NotifyRegistrationStatus", request=request, response={})
    return history


def test_a_driver_that_the_kubelet_has_taken_in() -> None:
    attempt = wait_attempt(told(""), NODE, DRIVER, timeout=1)
    assert (attempt.socket, attempt.info, attempt.notify_error) == (Path("/a.sock"), INFO, "")


def test_one_that_it_has_refused() -> None:
    assert wait_attempt(told("plugin validation failed"), NODE, DRIVER, timeout=1).notify_error != ""


def test_a_kubelet_with_dra_turned_off_is_not_the_fault_of_the_driver() -> None:
    refused = "RegisterPlugin error -- no handler registered for plugin type: DRAPlugin at socket /a.sock"
    with pytest.raises(Inconclusive, match="node-a refuses the driver: DRA is turned off in this kubelet"):
        wait_attempt(told(refused), NODE, DRIVER, timeout=1)
