"""Health, taints, what is said in claims, and files about devices."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fakegpu.__main__ import main as fakegpu
from reference_driver.plugin.dra_api import dra_health_v1_pb2, dra_health_v1_pb2_grpc

from .conftest import Start
from .fake_api import FakeApi
from .process import DRIVER, DriverProcess, eventually

HEALTHY, UNHEALTHY = 1, 2
KEY = f"{DRIVER}/unhealthy"


def happens(root: Path, event: str, gpu: str) -> None:
    assert fakegpu([str(root / "plugins" / DRIVER / "gpus.yaml"), event, gpu]) == 0


def sick(api: FakeApi) -> list[tuple[str, str]]:
    """Devices with taints, and the keys of these."""
    devices = [device for obj in api.slices() for device in obj["spec"]["devices"]]
    return [(device["name"], taint["key"]) for device in devices for taint in device.get("taints", ())]


@contextmanager
def watching(driver: DriverProcess) -> Iterator[Any]:
    """The messages of a health stream."""
    stub = dra_health_v1_pb2_grpc.DRAResourceHealthStub(driver._channel(driver.endpoint))
    stream = stub.NodeWatchResources(dra_health_v1_pb2.NodeWatchResourcesRequest(), timeout=20, wait_for_ready=True)
    yield stream
    stream.cancel()


def health(message: Any) -> dict[str, int]:
    return {row.device.device_name: row.health for row in message.devices}


def test_a_gpu_that_falls_sick_is_tainted_and_reported(start: Start, api: FakeApi, root: Path) -> None:
    driver = start()
    api.wait_slices(1)
    with watching(driver) as stream:
        assert set(health(next(stream)).values()) == {HEALTHY}
        happens(root, "sicken", "gpu-3")
        message = next(message for message in stream if health(message)["gpu-3"] == UNHEALTHY)
        (row,) = (row for row in message.devices if row.health == UNHEALTHY)
        assert (row.device.pool_name, row.message) == ("node-a", "fell off the bus")
        eventually(lambda: sick(api) == [("gpu-3", KEY)])
        happens(root, "recover", "gpu-3")
        assert any(health(message)["gpu-3"] == HEALTHY for message in stream)
        eventually(lambda: sick(api) == [])


def test_a_restart_does_not_forget_what_is_sick(start: Start, api: FakeApi, root: Path) -> None:
    driver = start()
    api.wait_slices(1)
    happens(root, "sicken", "gpu-3")
    eventually(lambda: sick(api) == [("gpu-3", KEY)])
    before = api.slices()
    driver.kill()
    again = start()
    with watching(again) as stream:
        assert health(next(stream))["gpu-3"] == UNHEALTHY
    assert api.slices() == before


def test_who_has_a_sick_gpu_keeps_it_and_nobody_else_gets_it(start: Start, api: FakeApi, root: Path) -> None:
    first, second = api.claim("first", ("gpu-3",)), api.claim("second", ("gpu-4",))
    patient = api.claim("patient", ("gpu-5",))
    patient["status"]["allocation"]["devices"]["results"][0]["tolerations"] = [{"operator": "Exists"}]
    driver = start()
    (entry,) = driver.prepare(first).values()
    assert entry.error == ""
    for gpu in ("gpu-3", "gpu-4", "gpu-5"):
        happens(root, "sicken", gpu)
    eventually(lambda: len(sick(api)) == 3)
    errors = {claim["metadata"]["name"]: driver.prepare(claim) for claim in (first, second, patient)}
    said = {name: next(iter(entries.values())).error for name, entries in errors.items()}
    assert said == {"first": "", "second": "device gpu-4 of pool node-a is unhealthy: fell off the bus", "patient": ""}


def test_what_was_prepared_is_said_once_in_the_claim(start: Start, api: FakeApi) -> None:
    claim = api.claim("one", ("gpu-0", "gpu-1"))
    driver = start()
    driver.prepare(claim)
    driver.prepare(claim)
    eventually(lambda: bool(api.applied))
    driver.terminate()
    (written,) = api.applied
    rows = written["status"]["devices"]
    assert [(row["driver"], row["pool"], row["device"]) for row in rows] == [
        (DRIVER, "node-a", "gpu-0"),
        (DRIVER, "node-a", "gpu-1"),
    ]
    assert [(row["conditions"][0]["type"], row["conditions"][0]["status"]) for row in rows] == [("Ready", "True")] * 2
    assert all(row["data"]["uuid"].startswith("gpu-") for row in rows)


def test_a_request_has_a_file_for_its_devices_until_it_is_unprepared(start: Start, api: FakeApi, root: Path) -> None:
    claim = api.claim("one", ("gpu-0", "gpu-1"))
    claim["metadata"]["annotations"] = {"resource.kubernetes.io/pod-claim-name": "gpus"}
    driver = start()
    driver.prepare(claim)
    (spec,) = (json.loads(path.read_text()) for path in (root / "cdi").glob("*.json"))
    mounts = [mount for device in spec["devices"] for mount in device["containerEdits"].get("mounts", ())]
    (mount,) = mounts
    request = claim["status"]["allocation"]["devices"]["results"][0]["request"]
    inside = "/var/run/kubernetes.io/dra-device-attributes/resourceclaimtemplates/gpus"
    assert mount["containerPath"] == f"{inside}/{request}/{DRIVER}-metadata.json"
    file = json.loads(Path(mount["hostPath"]).read_text())
    assert (file["apiVersion"], file["metadata"]["uid"]) == (
        "metadata.resource.k8s.io/v1beta1",
        claim["metadata"]["uid"],
    )
    (row,) = file["requests"]
    assert [device["name"] for device in row["devices"]] == ["gpu-0", "gpu-1"]
    assert row["devices"][1]["attributes"]["index"] == {"int": 1}
    driver.kill()
    driver = start()
    assert Path(mount["hostPath"]).exists()
    driver.unprepare(claim)
    assert not Path(mount["hostPath"]).exists()


def test_files_that_cannot_be_written_fail_no_claim(start: Start, api: FakeApi, root: Path) -> None:
    claim = api.claim("one", ("gpu-0",))
    driver = start()
    (root / "plugins" / DRIVER / "dra-device-metadata").write_text("in the way")
    (entry,) = driver.prepare(claim).values()
    assert entry.error == ""
    (spec,) = (root / "cdi").glob("*.json")
    assert "mounts" not in spec.read_text()
