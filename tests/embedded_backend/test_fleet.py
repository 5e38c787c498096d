"""The driver on a second node, and a second driver on the node: there inside a block only."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cluster import Cluster, Pod, wait_for
from conformance.cluster.api import NotFound
from conformance.cluster.companion import companion
from conformance.cluster.embedded import EmbeddedBackend
from conformance.cluster.local.installation import LocalInstallation
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun

REFERENCE = Target.load("reference")
ROOT = Path(__file__).parents[2]
CHECKS = ROOT / "conformance" / "checks"


@pytest.fixture
def backend(run_dir: Path, tmp_path: Path) -> Iterator[EmbeddedBackend]:
    backend = EmbeddedBackend(run_dir, History(), log_dir=tmp_path / "logs")
    backend.start()
    yield backend
    backend.stop()


@pytest.fixture
def driver(backend: EmbeddedBackend) -> LocalInstallation:
    """The reference driver, ready."""
    installation = backend.install(REFERENCE)
    installation.start()
    installation.wait_ready()
    return installation


@pytest.fixture
def cluster(backend: EmbeddedBackend) -> Cluster:
    return Cluster(backend, REFERENCE, "default", CHECKS)


def pod_on(cluster: Cluster, node: str, name: str = "user") -> Pod:
    name = f"{name}-{node}"
    return cluster.apply("one_pod.yaml", name=name, node=node).pod(name).wait_running()


def nodes_named_by(cluster: Cluster, driver: str) -> list[str]:
    items = cluster.api.list("resourceslices", field_selector=f"spec.driver={driver}")["items"]
    return sorted({item["spec"]["nodeName"] for item in items})


def test_a_pod_runs_on_each_node_with_a_device_of_it(cluster: Cluster, driver: LocalInstallation) -> None:
    with cluster.backend.fleet(driver) as fleet:
        assert [one.node.name for one in fleet.installations] == ["node-a", "node-b"]
        for node in cluster.backend.nodes:
            pod = pod_on(cluster, node.name)
            assert pod.node is node
            assert pod.claim("devices").devices()[0].pool == node.name
            assert pod.container().env["KUBERNETES_NODE_NAME"] == node.name


def test_the_second_node_leaves_nothing(cluster: Cluster, driver: LocalInstallation, run_dir: Path) -> None:
    before = cluster.slices()
    with cluster.backend.fleet(driver) as fleet:
        second = fleet.installations[1]
        pod = pod_on(cluster, "node-b")
        assert cluster.slices() == before
        assert nodes_named_by(cluster, "gpu.example.com") == ["node-a", "node-b"]
    assert [node.name for node in cluster.backend.nodes] == ["node-a"]
    assert [node["metadata"]["name"] for node in cluster.api.list("nodes")["items"]] == ["node-a"]
    assert nodes_named_by(cluster, "gpu.example.com") == ["node-a"]
    assert second.instances == []
    assert not (run_dir / "b").exists()
    with pytest.raises(NotFound):
        pod.get()
    wait_for(lambda: cluster.api.list("resourceclaims")["items"] == [], "the claim to go with its pod", timeout=5)


def test_it_is_left_in_order_when_a_check_fails(cluster: Cluster, driver: LocalInstallation) -> None:
    with pytest.raises(ZeroDivisionError), cluster.backend.fleet(driver):
        pod_on(cluster, "node-b")
        raise ZeroDivisionError
    assert nodes_named_by(cluster, "gpu.example.com") == ["node-a"]
    with cluster.backend.fleet(driver):
        pod_on(cluster, "node-b", name="next")


def test_an_update_is_on_all_nodes_at_once(cluster: Cluster, driver: LocalInstallation) -> None:
    with cluster.backend.fleet(driver) as fleet:
        with fleet.roll_out() as pairs:
            for (old, new), node in zip(pairs, cluster.backend.nodes, strict=True):
                node.wait_registered("gpu.example.com", count=2)
                assert (old.node, new.node) == (node.name, node.name)
                assert [old.alive, new.alive] == [True, True]
        assert [(old.alive, new.alive) for old, new in pairs] == [(False, True)] * 2


@pytest.mark.parametrize("index", [0, 1])
def test_a_lost_node_comes_back_as_another_object(cluster: Cluster, driver: LocalInstallation, index: int) -> None:
    with cluster.backend.fleet(driver) as fleet:
        lost = fleet.installations[index]
        (other,) = (one.node.name for one in fleet.installations if one is not lost)
        uid = cluster.api.get("nodes", lost.node.name)["metadata"]["uid"]
        with fleet.lose(lost.node):
            with pytest.raises(NotFound):
                cluster.api.get("nodes", lost.node.name)
            wait_for(lambda: nodes_named_by(cluster, "gpu.example.com") == [other], "slices to go", timeout=5)
            assert lost.instances == []
        assert cluster.api.get("nodes", lost.node.name)["metadata"]["uid"] != uid
        lost.wait_ready()
        pod_on(cluster, lost.node.name)


def test_a_pod_that_is_nowhere_has_no_node(cluster: Cluster) -> None:
    pod = cluster.apply("one_pod.yaml", name="lonely", node="nowhere").pod("lonely")
    with pytest.raises(Inconclusive, match="on no node yet"):
        pod.container()


def test_a_companion_serves_beside_the_driver(cluster: Cluster, driver: LocalInstallation) -> None:
    node = cluster.node
    with cluster.backend.companion() as other:
        assert other.driver_name != REFERENCE.driver_name
        seen = cluster.seen_by(other)
        pod = seen.apply("one_pod.yaml").pod("user").wait_running()
        assert pod.claim("devices").devices()[0].driver == other.driver_name
        assert pod.wait_prepared("devices").cdi_ids == list(pod.container().cdi_ids)
        assert node.registrations(REFERENCE.driver_name)
        assert len(driver.instances) == 1
    with pytest.raises(NotFound):
        pod.get()
    assert nodes_named_by(cluster, other.driver_name) == []
    assert not any(other.driver_name in item["metadata"]["name"] for item in cluster.api.list("deviceclasses")["items"])
    assert [path for path in node.plugins_dir.rglob("*") if other.driver_name in path.name] == []
    assert node.cdi.snapshot() == {}


def test_the_companion_is_the_reference_driver_by_another_name() -> None:
    other = companion()
    assert other.process.command == [*REFERENCE.process.command, "--driver-name={driver_name}", "--no-device-status"]
    assert other.device_class == other.driver_name


def variant(folder: Path, **changes: Any) -> Target:
    """The reference driver with other sections in its driver file."""
    file = yaml.safe_load(REFERENCE.path.read_text())
    file["process"] |= changes.pop("process", {})
    path = folder / "variant.yaml"
    path.write_text(yaml.safe_dump({**file, **changes}))
    return Target.load(str(path))


def test_nodes_that_would_share_a_folder_of_the_driver_are_no_fleet(backend: EmbeddedBackend, tmp_path: Path) -> None:
    installation = backend.install(variant(tmp_path, process={"stateDir": str(tmp_path / "state")}))
    said = f"folder {tmp_path / 'state'} of the driver would be that of both"
    with pytest.raises(NotRun, match=said), backend.fleet(installation):
        pytest.fail("they would share it")
    assert [node["metadata"]["name"] for node in backend.api.list("nodes")["items"]] == ["node-a"]


def test_a_driver_of_hardware_is_no_fleet_on_one_machine(backend: EmbeddedBackend, tmp_path: Path) -> None:
    installation = backend.install(variant(tmp_path, requires=["device"]))
    with pytest.raises(NotRun, match="share the hardware"), backend.fleet(installation):
        pytest.fail("they would share it")


def test_a_driver_that_can_be_on_the_machine_once_is_no_fleet(backend: EmbeddedBackend, tmp_path: Path) -> None:
    once = tmp_path / "once"
    script = f"mkdir {once} || exit 7; exec {sys.executable} -m reference_driver.gpu"
    arguments = REFERENCE.process.command[3:]
    path = tmp_path / "once.yaml"
    process = {"command": ["sh", "-c", f'{script} "$@"', "sh", *arguments], "env": {"PYTHONPATH": str(ROOT)}}
    path.write_text(yaml.safe_dump({"drivers": [{"name": "gpu.example.com"}], "process": process}))
    installation = backend.install(Target.load(str(path)))
    installation.start()
    installation.wait_ready()
    said = r"the driver does not run twice on this machine: .*ended with status 7"
    with pytest.raises(NotRun, match=said), backend.fleet(installation):
        pytest.fail("it cannot be ready")
    assert len(installation.instances) == 1
