"""Each line of the log is one JSON object that names its claim, and no line holds a secret."""

from pathlib import Path
from typing import Any

import pytest

from reference_driver.plugin.credentials import Credentials

from . import quoting_driver
from .conftest import Start
from .fake_api import FakeApi, Object

SECRET, TOKEN = "swordfish", "eyJ0b2tlbiI6"
HEAD = {"apiVersion": "gpu.resource.example.com/v1alpha1", "kind": "GpuConfig"}
CONFIGS: dict[str, Any] = {
    "good": HEAD | {"sharing": {"strategy": "TimeSlicing"}},
    "unknown field": HEAD | {"password": SECRET},
    "unknown kind": HEAD | {"kind": SECRET},
    "unknown version": HEAD | {"apiVersion": SECRET},
    "not an object": SECRET,
    "a list": [SECRET],
    "section of another kind": HEAD | {"sharing": SECRET},
    "value not allowed": HEAD | {"sharing": {"strategy": SECRET}},
    "nested value not allowed": HEAD | {"sharing": {"timeSlicingConfig": {"interval": SECRET}}},
    "text for a number": HEAD
    | {"sharing": {"strategy": "SpacePartitioning", "spacePartitioningConfig": {"partitionCount": SECRET}}},
}


def configured(api: FakeApi, name: str, parameters: Any) -> Object:
    opaque = {"driver": "gpu.example.com", "parameters": parameters}
    return api.claim(name, ("gpu-0",), config=[{"source": "FromClaim", "opaque": opaque}])


@pytest.fixture
def start_with_token(start: Start, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> Start:
    plain = api.kubeconfig
    monkeypatch.setattr(api, "kubeconfig", lambda path: plain(path, TOKEN))
    return start


@pytest.mark.parametrize("program", [(), (str(Path(quoting_driver.__file__)),)], ids=["usual", "quoting"])
def test_no_line_holds_a_secret(start_with_token: Start, api: FakeApi, program: tuple[str, ...]) -> None:
    """Every way that Prepare and Unprepare can go, with all that is ever logged."""
    driver = start_with_token("--log-level=debug", program=program)
    api.wait_slices(1)
    for number, (what, parameters) in enumerate(CONFIGS.items()):
        claim = configured(api, f"c{number}", parameters)
        uid = claim["metadata"]["uid"]
        answer = driver.prepare(claim)[uid]
        assert bool(answer.error) == (what != "good" or bool(program)), what
        assert SECRET not in answer.error
        for status in (500, 403, 0):
            api.failures.extend((status, status))
            driver.prepare(claim)
            api.failures.clear()
        api.remove("resourceclaims", f"c{number}")
        driver.prepare(claim)
        assert driver.unprepare(claim)[uid].error == ""
        assert {"info", "NodePrepareResources"} <= {
            text for line in driver.lines() if line.get("claim") == uid for text in (line["level"], line["message"])
        }
    api.refusals = {"GET": 401}
    api.remove("resourceslices", api.slices()[0]["metadata"]["name"])
    driver.terminate()
    text = driver.log.read_text()
    assert SECRET not in text
    assert TOKEN not in text
    assert "debug" in {line["level"] for line in driver.lines()}


def test_an_error_that_nobody_expected_is_told_by_kind_and_place(start: Start, api: FakeApi) -> None:
    driver = start(program=(str(Path(quoting_driver.__file__)),))
    claim = configured(api, "c", CONFIGS["good"])
    error = driver.prepare(claim)[claim["metadata"]["uid"]].error
    assert error.endswith("internal error: ValueError; the driver's log says where")
    (line,) = [line for line in driver.lines() if line["message"] == "unexpected error"]
    assert line["claim"] == claim["metadata"]["uid"]
    assert {"ValueError", "KeyError"} <= set(line["exception"])
    assert any("quoting_driver.py" in place for place in line["exception"])


def test_credentials_do_not_show_what_they_are() -> None:
    shown = repr(Credentials("https://server", token=TOKEN, certificate=b"PEM", key=SECRET.encode()))
    assert TOKEN not in shown
    assert SECRET not in shown
