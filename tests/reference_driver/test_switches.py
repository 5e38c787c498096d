"""Each optional feature of the driver, switched by its argument."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest

from fakegpu import Gpu, default_inventory
from reference_driver.gpu import ExtrasDriver, GpuDriver, main
from reference_driver.gpu.features import Features
from reference_driver.plugin import PluginError
from reference_driver.plugin.dra_api import dra_health_v1_pb2, dra_health_v1_pb2_grpc

from .conftest import Start
from .fake_api import FakeApi, Object
from .process import DRIVER, DriverProcess, eventually
from .test_features import happens, health, sick, watching


def devices(api: FakeApi) -> dict[str, Object]:
    return {device["name"]: device for obj in api.slices() for device in obj["spec"].get("devices", ())}


def environment(root: Path, claim: Object) -> dict[str, str]:
    """What the CDI spec of a claim sets."""
    (path,) = (path for path in (root / "cdi").iterdir() if claim["metadata"]["uid"] in path.name)
    spec = json.loads(path.read_text())
    edits = [spec.get("containerEdits", {}), *(device["containerEdits"] for device in spec["devices"])]
    return dict(entry.split("=", 1) for edit in edits for entry in edit.get("env", ()))


def error(driver: DriverProcess, claim: Object) -> str:
    (entry,) = driver.prepare(claim).values()
    return str(entry.error)


def test_without_health_the_kubelet_is_told_nothing_and_taints_are_set(start: Start, api: FakeApi, root: Path) -> None:
    driver = start("--no-health")
    api.wait_slices(1)
    assert list(driver.info().supported_versions) == ["v1.DRAPlugin", "v1beta1.DRAPlugin"]
    stub = dra_health_v1_pb2_grpc.DRAResourceHealthStub(driver._channel(driver.endpoint))
    with pytest.raises(grpc.RpcError) as raised:
        next(stub.NodeWatchResources(dra_health_v1_pb2.NodeWatchResourcesRequest(), timeout=5, wait_for_ready=True))
    assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED
    happens(root, "sicken", "gpu-3")
    eventually(lambda: sick(api) == [("gpu-3", f"{DRIVER}/unhealthy")])


def test_without_taints_the_kubelet_is_told_and_prepare_refuses(start: Start, api: FakeApi, root: Path) -> None:
    driver = start("--no-taints")
    api.wait_slices(1)
    with watching(driver) as stream:
        happens(root, "sicken", "gpu-3")
        assert any(health(message)["gpu-3"] == 2 for message in stream)
    assert error(driver, api.claim("c", ("gpu-3",))) == "device gpu-3 of pool node-a is unhealthy: fell off the bus"
    assert sick(api) == []


def test_parts_are_prepared_beside_each_other_and_never_beside_the_whole(
    start: Start, api: FakeApi, root: Path
) -> None:
    driver = start("--partitions=4")
    api.wait_slices(2)
    first, second = api.claim("first", ("gpu-0-partition-0",)), api.claim("second", ("gpu-0-partition-1",))
    assert [error(driver, claim) for claim in (first, second)] == ["", ""]
    env = environment(root, first)
    assert (env["GPU_DEVICE_0_PARTITION_0"], env["GPU_DEVICE_GPU_0_PARTITION_0_RESOURCE_CLAIM"]) == (
        "gpu-0-partition-0",
        first["metadata"]["uid"],
    )
    assert "is already prepared for claim default/first" in error(driver, api.claim("whole", ("gpu-0",)))
    assert "does not exist" in error(driver, api.claim("fifth", ("gpu-0-partition-4",)))
    for claim in (first, second):
        driver.unprepare(claim)
    assert error(driver, api.claim("all", ("gpu-0",))) == ""
    assert "is already prepared for claim default/all" in error(driver, api.claim("third", ("gpu-0-partition-3",)))


def test_what_ails_a_gpu_ails_its_parts(start: Start, api: FakeApi, root: Path) -> None:
    driver = start("--partitions=2")
    api.wait_slices(2)
    happens(root, "sicken", "gpu-3")
    ill = ["gpu-3-partition-0", "gpu-3-partition-1", "gpu-3"]
    eventually(lambda: [name for name, device in devices(api).items() if device.get("taints")] == ill)
    assert error(driver, api.claim("c", ("gpu-3-partition-1",))).endswith("is unhealthy: fell off the bus")


def share(api: FakeApi, name: str, memory: str) -> Object:
    """A claim that is allocated a share of gpu-0."""
    claim = api.claim(name, ("gpu-0",))
    (result,) = claim["status"]["allocation"]["devices"]["results"]
    result |= {"shareID": f"{name}-share", "consumedCapacity": {"memory": memory}}
    return claim


def test_claims_share_a_gpu(start: Start, api: FakeApi, root: Path) -> None:
    driver = start("--shares=4")
    api.wait_slices(1)
    gpu = devices(api)["gpu-0"]
    assert gpu["allowMultipleAllocations"] is True
    assert gpu["capacity"]["memory"] == {
        "value": "80Gi",
        "requestPolicy": {"default": "20Gi", "validRange": {"min": "1Gi", "step": "1Gi"}},
    }
    one, two = share(api, "one", "20Gi"), share(api, "two", "8Gi")
    assert [error(driver, claim) for claim in (one, two)] == ["", ""]
    assert environment(root, one)["GPU_DEVICE_0_SHARE_ONE_SHARE_MEMORY"] == "20Gi"
    assert environment(root, two)["GPU_DEVICE_0_SHARE_TWO_SHARE_MEMORY"] == "8Gi"


def test_gpus_that_are_attached_once_they_are_allocated() -> None:
    driver = GpuDriver(DRIVER, "node-a", default_inventory("node-a", 2))
    assert not driver.sets_binding_conditions
    driver.switch(Features(partitions=2, binding_conditions=True))
    assert driver.sets_binding_conditions
    assert {tuple(device.extra["bindingConditions"]) for device in driver.pools()["node-a"].devices} == {
        ("gpu.example.com/attached",)
    }


@pytest.mark.parametrize(("argument", "refused"), [("--admin-access", False), ("--no-admin-access", True)])
def test_admin_access(start: Start, api: FakeApi, root: Path, argument: str, refused: bool) -> None:
    driver = start(argument)
    owner, admin = api.claim("owner", ("gpu-0",)), api.claim("admin", ("gpu-0", "gpu-1"))
    looking, own = admin["status"]["allocation"]["devices"]["results"]
    looking["adminAccess"], own["request"] = True, "own"
    assert error(driver, owner) == ""
    said = error(driver, admin)
    assert ("there is no admin access on node node-a" in said) is refused
    if not refused:
        assert said == ""
        assert environment(root, admin)["DRA_ADMIN_ACCESS"] == "true"


def test_no_status_and_no_files_where_these_are_switched_off(start: Start, api: FakeApi, root: Path) -> None:
    driver = start("--no-device-status", "--no-device-metadata")
    claim = api.claim("c", ("gpu-0",))
    assert error(driver, claim) == ""
    assert driver.terminate() == 0
    assert api.applied == []
    assert not (root / "plugins" / DRIVER / "dra-device-metadata").exists()


def test_a_fleet_of_a_real_machine(start: Start, api: FakeApi) -> None:
    start("--fleet=h100-sxm-8")
    api.wait_slices(1)
    attributes = [device["attributes"] for device in devices(api).values()]
    assert [row["model"]["string"] for row in attributes] == ["NVIDIA H100 80GB HBM3"] * 8
    assert attributes[4]["resource.kubernetes.io/numaNode"] == {"int": 1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--partitions=1"], "--partitions: '1' must be a whole number from 2 to 63"),
        (["--shares=many"], "--shares: 'many' must be a whole number from 2 to 100"),
        (["--fleet=extras", "--partitions=2"], "--partitions: --fleet=extras has GPUs of each kind already"),
        (["--fleet=l40s-4", "--num-devices=2"], "--num-devices: --fleet=l40s-4 has GPUs of its own"),
        (["--fleet=none"], "--fleet: invalid choice: 'none'"),
    ],
)
def test_arguments_that_cannot_be_are_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--node-name=node-a", *arguments])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("features", [Features(partitions=63), Features(shares=2)])
def test_a_gpu_that_is_too_small_to_be_divided(features: Features) -> None:
    driver = GpuDriver(DRIVER, "node-a", [Gpu(0, "gpu-0", memory="32Mi")])
    driver.switch(features)
    with pytest.raises(PluginError, match="a GPU with 32Mi of memory"):
        driver.pools()


@pytest.mark.parametrize("made", [GpuDriver, ExtrasDriver])
def test_uuids_of_any_length_can_be_published(made: Any) -> None:
    """Those of parts still differ."""
    gpus = [Gpu(index, "GPU-" + "0123456789" * 10) for index in range(10)]
    driver = made(DRIVER, "node-a", gpus)
    if made is GpuDriver:
        driver.switch(Features(partitions=12))
    rows = [device for pool in driver.pools().values() for device in pool.devices]
    assert max(len(str(device.attributes["uuid"])) for device in rows) == 64
    parts = [device.attributes["uuid"] for device in rows if device.name.startswith("gpu-4-partition-")]
    assert len(set(parts)) == len(parts) > 1
