import fcntl
import json
from pathlib import Path

import grpc
import pytest

from reference_driver.plugin.dra_api import dra_v1_pb2, dra_v1_pb2_grpc

from .conftest import Start
from .fake_api import FakeApi


def specs(root: Path) -> list[Path]:
    return sorted((root / "cdi").glob("*"))


def test_it_says_who_it_is(start: Start) -> None:
    driver = start()
    info = driver.info()
    assert (info.type, info.name, info.endpoint) == ("DRAPlugin", "gpu.example.com", str(driver.endpoint))
    assert list(info.supported_versions) == [
        "v1.DRAPlugin",
        "v1beta1.DRAPlugin",
        "v1.DRAResourceHealth",
        "v1alpha1.DRAResourceHealth",
    ]
    driver.notify(False, "no reason")
    driver.notify(True)
    assert driver.process.poll() is None


def test_a_claim_with_two_gpus(start: Start, api: FakeApi, root: Path) -> None:
    claim = api.claim("two", ("gpu-1", "gpu-3"), uid="1b8f0a2e-0000-4000-8000-000000000001")
    answer = start().prepare(claim)
    (entry,) = answer.values()
    assert entry.error == ""
    assert [(device.pool_name, device.device_name, list(device.request_names)) for device in entry.devices] == [
        ("node-a", "gpu-1", ["gpus"]),
        ("node-a", "gpu-3", ["gpus"]),
    ]
    (path,) = specs(root)
    spec = json.loads(path.read_text())
    ids = [cdi_id for device in entry.devices for cdi_id in device.cdi_device_ids]
    assert ids == [f"{spec['kind']}={device['name']}" for device in spec["devices"]]
    assert spec["cdiVersion"] == "0.3.0"
    assert spec["containerEdits"]["env"] == ["KUBERNETES_NODE_NAME=node-a", "DRA_RESOURCE_DRIVER_NAME=gpu.example.com"]
    assert spec["devices"][0]["containerEdits"]["env"] == [
        "GPU_DEVICE_1=gpu-1",
        "GPU_DEVICE_GPU_1_RESOURCE_CLAIM=1b8f0a2e-0000-4000-8000-000000000001",
        "GPU_DEVICE_1_SHARING_STRATEGY=TimeSlicing",
        "GPU_DEVICE_1_TIMESLICE_INTERVAL=Default",
    ]


def test_prepare_again_gives_the_same_and_brings_the_spec_back(start: Start, api: FakeApi, root: Path) -> None:
    claim, driver = api.claim("c", ("gpu-0", "gpu-2")), start()
    first = driver.prepare(claim)
    (path,) = specs(root)
    before = path.read_text()
    path.unlink()
    assert driver.prepare(claim) == first
    assert path.read_text() == before


def test_unprepare_leaves_nothing_and_frees_the_device(start: Start, api: FakeApi, root: Path) -> None:
    one, other, driver = api.claim("one", ("gpu-0",)), api.claim("other", ("gpu-0",)), start()
    driver.prepare(one)
    refused = driver.prepare(other)[other["metadata"]["uid"]]
    assert "gpu-0" in refused.error
    assert one["metadata"]["uid"] in refused.error
    api.remove("resourceclaims", "one")  # Unprepare must not need it
    for _ in range(2):
        assert driver.unprepare(one)[one["metadata"]["uid"]].error == ""
    assert specs(root) == []
    assert list((root / "plugins/gpu.example.com/claims").iterdir()) == []
    assert driver.prepare(other)[other["metadata"]["uid"]].error == ""


def test_one_bad_claim_costs_the_others_nothing(start: Start, api: FakeApi) -> None:
    good, missing, replaced = api.claim("good", ("gpu-0",)), api.claim("gone", ("gpu-1",)), api.claim("new", ("gpu-2",))
    api.remove("resourceclaims", "gone")
    replaced = {"metadata": replaced["metadata"] | {"uid": "old"}}
    absent = api.claim("absent", ("gpu-99",))
    unallocated = api.store("resourceclaims", {"metadata": {"name": "idle", "namespace": "default"}})
    foreign = api.claim("foreign", ("gpu-3",))
    foreign["status"]["allocation"]["devices"]["results"][0]["driver"] = "other.example.com"
    answers = start().prepare(good, missing, replaced, absent, unallocated, foreign, good)
    errors = [answers[claim["metadata"]["uid"]].error for claim in (missing, replaced, absent, unallocated, foreign)]
    assert answers[good["metadata"]["uid"]].error == ""
    assert len(answers) == 6
    for error, words in zip(
        errors, ("does not exist", "was replaced", "gpu-99", "not allocated", "no device of driver"), strict=True
    ):
        assert words in error


def test_unprepare_of_a_claim_that_nobody_knows(start: Start) -> None:
    strange = {"metadata": {"name": "x", "namespace": "y", "uid": "../../../etc/passwd"}}
    assert start().unprepare(strange)["../../../etc/passwd"].error == ""
    assert "cannot be a UID" in start().prepare(strange)["../../../etc/passwd"].error


def test_a_kubelet_with_an_odd_authority_and_no_deadline(start: Start, api: FakeApi) -> None:
    """Kubelets send the escaped path of the socket as authority when they register a plugin."""
    driver, claim = start(), api.claim("c", ("gpu-0",))
    options = [("grpc.default_authority", str(driver.endpoint).replace("/", "%2F"))]
    with grpc.insecure_channel(f"unix:{driver.endpoint}", options=options) as channel:
        request = dra_v1_pb2.NodePrepareResourcesRequest()
        request.claims.add(namespace="default", name="c", uid=claim["metadata"]["uid"])
        answer = dra_v1_pb2_grpc.DRAPluginStub(channel).NodePrepareResources(request)
    assert answer.claims[claim["metadata"]["uid"]].error == ""


def test_a_call_that_waits_for_another_instance(start: Start, api: FakeApi, root: Path) -> None:
    """It ends with its deadline, changes nothing then, and keeps nobody from asking who the plugin is."""
    driver, claim = start(), api.claim("c", ("gpu-0",))
    with (root / "plugins/gpu.example.com/serialize.lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(grpc.RpcError, match="DEADLINE_EXCEEDED"):
            driver.prepare(claim, timeout=0.2)
        assert driver.info().name == "gpu.example.com"
    assert specs(root) == []
    assert driver.prepare(claim)[claim["metadata"]["uid"]].error == ""


def test_the_old_api_works_too(start: Start, api: FakeApi) -> None:
    claim, driver = api.claim("c", ("gpu-0",)), start()
    assert driver.prepare(claim, beta=True)[claim["metadata"]["uid"]].devices[0].device_name == "gpu-0"
    assert driver.unprepare(claim, beta=True)[claim["metadata"]["uid"]].error == ""


def test_admin_access_disturbs_nobody(start: Start, api: FakeApi, root: Path) -> None:
    user, admin, driver = api.claim("user", ("gpu-0",)), api.claim("admin", ("gpu-0",)), start()
    admin["status"]["allocation"]["devices"]["results"][0]["adminAccess"] = True
    for claim in (admin, user):
        assert driver.prepare(claim)[claim["metadata"]["uid"]].error == ""
    with_admin = [path.name for path in specs(root) if "DRA_ADMIN_ACCESS=true" in path.read_text()]
    assert len(with_admin) == 1
    assert admin["metadata"]["uid"] in with_admin[0]


def test_shares_of_a_device_are_apart(start: Start, api: FakeApi) -> None:
    claims = [api.claim(f"share-{number}", ("gpu-0",)) for number in range(2)]
    for number, claim in enumerate(claims):
        claim["status"]["allocation"]["devices"]["results"][0]["shareID"] = f"share-{number}"
    driver = start()
    devices = [driver.prepare(claim)[claim["metadata"]["uid"]].devices[0] for claim in claims]
    assert [device.share_id for device in devices] == ["share-0", "share-1"]
    assert devices[0].cdi_device_ids != devices[1].cdi_device_ids
