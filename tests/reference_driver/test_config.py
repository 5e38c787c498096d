"""Opaque parameters: which apply, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from reference_driver.gpu import GpuConfig
from reference_driver.gpu.config import API_VERSION
from reference_driver.plugin import AllocatedDevice, Claim, ClaimError

from .conftest import Start
from .fake_api import FakeApi, Object


def config(sharing: Any = None, **more: Any) -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": "GpuConfig"} | ({"sharing": sharing} if sharing else {}) | more


def entry(interval: str, *requests: str, source: str = "FromClaim", driver: str = "gpu.example.com") -> Object:
    parameters = config({"strategy": "TimeSlicing", "timeSlicingConfig": {"interval": interval}})
    return {"source": source, "requests": list(requests), "opaque": {"driver": driver, "parameters": parameters}}


def test_both_strategies() -> None:
    assert GpuConfig.decode(config()) == GpuConfig("TimeSlicing", "Default", 1)
    spaces = config({"strategy": "SpacePartitioning", "spacePartitioningConfig": {"partitionCount": 4}})
    assert GpuConfig.decode(spaces).env("GPU_DEVICE_0") == [
        "GPU_DEVICE_0_SHARING_STRATEGY=SpacePartitioning",
        "GPU_DEVICE_0_PARTITION_COUNT=4",
    ]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "apiVersion"),
        (config(kind="Other"), "kind"),
        (config(colour="red"), "unknown field colour"),
        (config({"strategy": "Luck"}), "sharing.strategy must be one of"),
        (config({"timeSlicingConfig": {"interval": "Eternal"}}), "sharing.timeSlicingConfig.interval"),
        (config({"timeSlicingConfig": {"intervall": "Short"}}), "unknown field sharing.timeSlicingConfig.intervall"),
        (config({"strategy": "TimeSlicing", "spacePartitioningConfig": {"partitionCount": 1}}), "needs strategy"),
        (config({"strategy": "SpacePartitioning", "spacePartitioningConfig": {"partitionCount": 0}}), "above 0"),
        (config("none"), "must be an object"),
        (config({"strategy": ["TimeSlicing"]}), "sharing.strategy must be one of"),
    ],
)
def test_what_is_refused(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        GpuConfig.decode(parameters)


def test_which_config_a_device_gets() -> None:
    """Class before claim, the last that applies wins, other drivers' are nothing to us."""
    results = [
        {"request": request, "driver": "gpu.example.com", "pool": "n", "device": f"gpu-{number}"}
        for number, request in enumerate(("a", "b", "c/big"))
    ]
    entries = [entry("Short"), entry("Medium", "b"), entry("Long", "c"), entry("Long", driver="other.example.com")]
    entries.append(entry("Default", source="FromClass"))
    status = {"allocation": {"devices": {"results": results, "config": entries}}}
    obj = {"metadata": {"namespace": "ns", "name": "c", "uid": "u"}, "status": status}
    claim = Claim.from_object(obj, "gpu.example.com")
    chosen = [GpuConfig.decode(claim.configs_for(device)[-1].parameters).interval for device in claim.devices]
    assert chosen == ["Short", "Medium", "Long"]
    assert claim.configs[0].source == "FromClass"


def test_sub_requests() -> None:
    (chosen,) = Claim.from_object(
        {
            "metadata": {"namespace": "ns", "name": "c", "uid": "u"},
            "status": {
                "allocation": {
                    "devices": {
                        "results": [{"request": "r/s", "driver": "d", "pool": "p", "device": "x"}],
                        "config": [{"requests": ["r/t"], "opaque": {"driver": "d", "parameters": {}}}],
                    }
                }
            },
        },
        "d",
    ).devices
    assert chosen == AllocatedDevice("r/s", "p", "x")
    assert chosen.base_request == "r"


def test_a_bad_config_is_the_claims_error(start: Start, api: FakeApi, root: Path) -> None:
    bad = entry("Short")
    bad["opaque"]["parameters"]["secret-token"] = "hunter2"
    claim, good = api.claim("bad", ("gpu-0",), config=[bad]), api.claim("good", ("gpu-1",), config=[entry("Long")])
    driver = start()
    answers = driver.prepare(claim, good)
    assert "unknown field secret-token" in answers[claim["metadata"]["uid"]].error
    assert answers[good["metadata"]["uid"]].error == ""
    assert "hunter2" not in driver.log.read_text()
    (spec,) = (root / "cdi").iterdir()
    assert "GPU_DEVICE_1_TIMESLICE_INTERVAL=Long" in spec.read_text()
