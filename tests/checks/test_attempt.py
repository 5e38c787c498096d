"""How the registration of a driver went, as the history tells it."""

import threading
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.registration.attempt import wait_attempt
from conformance.history import History
from conformance.verdict import Inconclusive

BOTH = ("GetInfo", "NotifyRegistrationStatus")
INFO = {"type": "DRAPlugin", "name": "gpu.example.com", "endpoint": "", "supported_versions": ["v1.DRAPlugin"]}
NODE: Any = SimpleNamespace(name="node-a", sees_calls=True)
DRIVER: Any = SimpleNamespace(target=SimpleNamespace(driver_name="gpu.example.com"), instances=["one"])


def told(error: str) -> History:
    """A kubelet has asked a driver who it is, and told it how its registration ended."""
    history = History()
    register(history, "gpu.example.com", error)
    return history


def register(history: History, name: str, error: str = "", methods: Sequence[str] = BOTH) -> None:
    call = {"phase": "end", "node": "node-a", "driver": name, "instance": "/a.sock", "seconds": 0.01}
    call |= {"code": "OK", "details": ""}
    request = {"plugin_registered": not error, "error": error}
    said = {"GetInfo": ({}, INFO | {"name": name}), "NotifyRegistrationStatus": (request, {})}
    for method in methods:
        history.record("rpc", **call, method=method, request=said[method][0], response=said[method][1])


def test_a_driver_that_the_kubelet_has_taken_in() -> None:
    attempt = wait_attempt(told(""), NODE, DRIVER, timeout=1)
    assert (attempt.socket, attempt.info, attempt.notify_error) == (Path("/a.sock"), INFO, "")


def test_one_that_it_has_refused() -> None:
    assert wait_attempt(told("plugin validation failed"), NODE, DRIVER, timeout=1).notify_error != ""


def test_a_kubelet_with_dra_turned_off_is_not_the_fault_of_the_driver() -> None:
    refused = "RegisterPlugin error -- no handler registered for plugin type: DRAPlugin at socket /a.sock"
    with pytest.raises(Inconclusive, match="node-a refuses the driver: DRA is turned off in this kubelet"):
        wait_attempt(told(refused), NODE, DRIVER, timeout=1)


def test_a_driver_that_registers_after_the_other_one_of_its_installation() -> None:
    history = History()
    register(history, "other.example.com")
    later = threading.Timer(0.1, register, (history, "gpu.example.com"))
    later.start()
    assert wait_attempt(history, NODE, DRIVER, timeout=30).info == INFO
    later.join()


def test_what_another_driver_was_told_is_not_taken_for_its_own() -> None:
    history = History()
    register(history, "gpu.example.com", methods=["GetInfo"])
    register(history, "other.example.com")
    with pytest.raises(Inconclusive, match="did not say within"):
        wait_attempt(history, NODE, DRIVER, timeout=0.1)


def test_a_driver_that_only_registers_under_another_name() -> None:
    history = History()
    register(history, "node.gpu.example.com")
    assert wait_attempt(history, NODE, DRIVER, timeout=0.1).info["name"] == "node.gpu.example.com"
