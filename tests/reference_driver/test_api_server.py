"""The driver on the embedded API server: HTTPS with a certificate of its own, validation, watches that expire."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster.embedded.apiserver import ApiServer
from conformance.history import History
from fakegpu import FLEETS, load_inventory
from fakegpu.__main__ import main as fakegpu
from reference_driver import gpu
from reference_driver.gpu.metadata import text, version

from .process import DriverProcess, eventually

SELECTOR = "spec.driver=gpu.example.com,spec.nodeName=node-a"


@pytest.fixture
def server(root: Path) -> Iterator[ApiServer]:
    made = ApiServer(root, History())
    made.start()
    made.store.create("nodes", {"metadata": {"name": "node-a"}})
    yield made
    made.stop()


@pytest.fixture
def start(server: ApiServer, root: Path) -> Iterator[Callable[..., DriverProcess]]:
    started: list[DriverProcess] = []

    def run(*arguments: str) -> DriverProcess:
        started.append(DriverProcess(root, server.kubeconfig(root / "kubeconfig"), *arguments))
        return started[-1].wait_serving()

    yield run
    for process in started:
        process.kill()


def slices(server: ApiServer) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.api().list("resourceslices", field_selector=SELECTOR)["items"]
    return found


def allocated(server: ApiServer, name: str, device: str) -> dict[str, Any]:
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}
    claim = {"metadata": {"name": name}, "spec": {"devices": {"requests": [request]}}}
    created = server.store.create("resourceclaims", claim, "default")
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": device}
    status = {"allocation": {"devices": {"results": [result]}}}
    return server.store.update_status("resourceclaims", created | {"status": status})


def test_published_prepared_and_wiped(server: ApiServer, start: Callable[..., DriverProcess]) -> None:
    driver = start("--num-devices=300")
    eventually(lambda: len(slices(server)) == 5)
    claim = allocated(server, "c", "gpu-299")
    assert driver.prepare(claim)[claim["metadata"]["uid"]].devices[0].device_name == "gpu-299"
    uids = {obj["metadata"]["uid"] for obj in slices(server)}
    server.api().delete_collection("resourceslices", field_selector="spec.nodeName=node-a")
    eventually(lambda: len(slices(server)) == 5 and not uids & {obj["metadata"]["uid"] for obj in slices(server)})
    assert {obj["spec"]["pool"]["resourceSliceCount"] for obj in slices(server)} == {5}
    assert len({obj["spec"]["pool"]["generation"] for obj in slices(server)}) == 1


def test_a_server_that_goes_away(server: ApiServer, start: Callable[..., DriverProcess]) -> None:
    """What happens while nobody can watch is noticed afterwards."""
    driver = start()
    eventually(lambda: len(slices(server)) == 1)
    name = slices(server)[0]["metadata"]["name"]
    with server.away():
        server.store.delete("resourceslices", name)
        server.store.expire("resourceslices")
    eventually(lambda: len(slices(server)) == 1, timeout=10)
    assert driver.process.poll() is None


def test_the_inventory_is_followed(server: ApiServer, start: Callable[..., DriverProcess], root: Path) -> None:
    inventory = root / "inventory.yaml"
    inventory.write_text("gpus: [{count: 2}]")
    driver = start(f"--inventory={inventory}")
    eventually(lambda: [len(obj["spec"]["devices"]) for obj in slices(server)] == [2])
    inventory.write_text("gpus: [{count: 1, model: OLD}]")
    eventually(lambda: [len(obj["spec"]["devices"]) for obj in slices(server)] == [1])
    claim = allocated(server, "c", "gpu-1")
    assert "gpu-1" in driver.prepare(claim)[claim["metadata"]["uid"]].error
    inventory.write_text("gpus: 7")
    eventually(lambda: "inventory not taken over" in driver.log.read_text())


def test_every_fleet_can_be_published(server: ApiServer, start: Callable[..., DriverProcess], root: Path) -> None:
    inventory = root / "inventory.yaml"
    inventory.write_text("gpus: [{}]")
    start(f"--inventory={inventory}")

    def published() -> bool:
        devices = [row for obj in slices(server) for row in obj["spec"].get("devices", ())]
        models = [row["attributes"]["model"]["string"] for row in devices]
        return models == [text(gpu.model) for gpu in load_inventory(inventory, "node-a")]

    for name in FLEETS:
        assert fakegpu([str(inventory), "fleet", name]) == 0
        eventually(published)


@pytest.mark.parametrize(
    ("told", "published"),
    [("580.95.05", "580.95.5"), ("580.95.05.01", "580.95.5"), ("v7", "7.0.0"), ("", "0.0.0"), ("1.0.0", "1.0.0")],
)
def test_versions_are_made_semantic(told: str, published: str) -> None:
    assert version(told) == published


def test_texts_are_cut_between_characters() -> None:
    assert text("x" * 63 + "é") == "x" * 63


def test_the_device_class_is_valid(server: ApiServer) -> None:
    manifest = yaml.safe_load((Path(gpu.__file__).parent / "deviceclass.yaml").read_text())
    created = server.api().create("deviceclasses", manifest)
    assert created["metadata"]["name"] == "gpu.example.com"


def test_a_server_that_is_away_at_the_start(server: ApiServer, start: Callable[..., DriverProcess]) -> None:
    """Claims that are prepared stay so, others are refused; slices are published as soon as the server is there."""
    driver = start()
    eventually(lambda: len(slices(server)) == 1)
    known, other = allocated(server, "known", "gpu-0"), allocated(server, "other", "gpu-1")
    first = driver.prepare(known)
    driver.kill()
    server.store.delete("resourceslices", slices(server)[0]["metadata"]["name"])
    with server.away():
        driver = start()
        assert driver.prepare(known) == first
        assert "does not answer" in driver.prepare(other)[other["metadata"]["uid"]].error
        waiting = f"the API server {server.url} does not answer: "
        eventually(lambda: any(waiting in line.get("error", "") for line in driver.lines()))
        assert driver.process.poll() is None
    eventually(lambda: len(slices(server)) == 1, timeout=10)
    assert driver.prepare(other)[other["metadata"]["uid"]].error == ""
    for claim in (known, other):
        assert driver.unprepare(claim)[claim["metadata"]["uid"]].error == ""


@pytest.mark.parametrize("allowed", [True, False])
def test_a_corrupt_state_file_is_told_on_the_node(
    server: ApiServer, start: Callable[..., DriverProcess], root: Path, allowed: bool
) -> None:
    """An event says which file and what to do, where the driver may write one; the claim's containers are not hurt."""
    claim, driver = allocated(server, "c", "gpu-0"), start()
    uid = claim["metadata"]["uid"]
    first = driver.prepare(claim)
    driver.kill()
    (record,) = (root / "plugins/gpu.example.com/claims").iterdir()
    record.write_text("{")
    (spec,) = (root / "cdi").iterdir()
    if not allowed:
        server.faults.add(lambda info: info.full_resource == "events", 403)
    driver = start()
    assert spec.exists(), "a container may start again before the claim is prepared again"
    if allowed:
        eventually(lambda: len(server.api().list("events")["items"]) == 1)
        (event,) = server.api().list("events")["items"]
        assert (event["reason"], event["involvedObject"]["kind"], event["involvedObject"]["name"]) == (
            "StateFileCorrupt",
            "Node",
            "node-a",
        )
        assert f"{uid}.corrupt" in event["message"]
    else:
        eventually(lambda: "an event cannot be written" in driver.log.read_text())
    assert driver.prepare(claim) == first
    assert driver.unprepare(claim)[uid].error == ""
    assert not spec.exists()
