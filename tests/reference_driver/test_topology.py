"""Where GPUs are: what is published of it, and that claims get by it what belongs together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import yaml

from conformance.cluster import Cluster, Pod, wait_for
from conformance.cluster.embedded import EmbeddedBackend
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target
from fakegpu import FLEETS, Gpu, fleet_file, load_inventory
from fakegpu.__main__ import main as fakegpu
from reference_driver.gpu import GpuDriver
from tests.variants import REFERENCE, ROOT

STANDARD = "resource.kubernetes.io/"
PLACE = (f"{STANDARD}pciBusID", f"{STANDARD}pcieRoot", f"{STANDARD}numaNode", "nvlinkDomain")


def fleet(name: str) -> tuple[Gpu, ...]:
    return load_inventory(fleet_file(name), "node-a")


def published(gpus: tuple[Gpu, ...], name: str) -> list[Any]:
    """An attribute of each GPU, None where it is not published."""
    devices = GpuDriver("gpu.example.com", "node-a", gpus).pools()["node-a"].devices
    return [device.attributes.get(name) for device in devices]


def test_what_is_published_of_the_place_of_a_gpu() -> None:
    (first, *_) = zip(*(published(fleet("a100-pcie-4"), name) for name in PLACE), strict=True)
    assert first == ("0000:17:00.0", "pci0000:16", 0, "gpu-0.node-a")


@pytest.mark.parametrize(
    ("name", "domains"),
    [
        ("a100-pcie-4", ["gpu-0", "gpu-0", "gpu-2", "gpu-2"]),  # joined in pairs
        ("h100-sxm-8", ["gpu-0"] * 8),  # through switches
        ("l40s-4", ["gpu-0", "gpu-1", "gpu-2", "gpu-3"]),  # without NVLink
    ],
)
def test_an_nvlink_domain_inside_the_node_is_named_by_its_first_gpu(name: str, domains: list[str]) -> None:
    assert published(fleet(name), "nvlinkDomain") == [f"{domain}.node-a" for domain in domains]


def test_an_nvlink_domain_that_reaches_beyond_the_node_has_the_same_name_everywhere() -> None:
    assert set(published(fleet("gb200-nvl-4"), "nvlinkDomain")) == {"8f4d2c1e-6b7a-4e3f-9d52-0c1b2a394857.32766"}


@pytest.mark.parametrize("name", FLEETS)
def test_all_gpus_of_a_node_have_the_same_attributes(name: str) -> None:
    devices = GpuDriver("gpu.example.com", "node-a", fleet(name)).pools()["node-a"].devices
    assert len({frozenset(device.attributes) for device in devices}) <= 1


def test_what_is_not_known_of_one_gpu_is_published_of_none() -> None:
    first, *others = fleet("a100-pcie-4")
    gpus = (replace(first, numa_node=-1, pcie_root=""), *others)
    assert set(published(gpus, f"{STANDARD}numaNode")) == set(published(gpus, f"{STANDARD}pcieRoot")) == {None}
    assert None not in published(gpus, f"{STANDARD}pciBusID")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """An embedded cluster with the driver on it, which follows an inventory file."""
    folder = tmp_path_factory.mktemp("topology")
    file = yaml.safe_load(REFERENCE.read_text())
    file["process"]["command"].append(f"--inventory={folder}/gpus.yaml")
    del file["install"], file["hooks"]
    (folder / "driver.yaml").write_text(yaml.safe_dump(file))
    assert fakegpu([str(folder / "gpus.yaml"), "fleet", "empty"]) == 0
    target, run = Target.load(str(folder / "driver.yaml")), RunDir.create()
    backend = EmbeddedBackend(run.path, History(), log_dir=folder / "logs")
    backend.start()
    installation = backend.install(target)
    installation.start()
    installation.wait_ready()
    yield Cluster(backend, target, "default", folder)
    backend.stop()
    run.close()


def have(cluster: Cluster, name: str) -> None:
    """The node has the GPUs of a fleet, and the driver has published them."""
    assert fakegpu([str(cluster.folder / "gpus.yaml"), "fleet", name]) == 0
    models = [gpu.model for gpu in fleet(name)]

    def told() -> bool:
        devices = [device for obj in cluster.slices() for device in obj["spec"].get("devices", ())]
        return [device["attributes"]["model"]["string"] for device in devices] == models

    wait_for(told, f"the GPUs of {name} to be published", timeout=10)


def apply(cluster: Cluster, example: str, count: int) -> Pod:
    """A manifest of examples/manifests, with another number of GPUs."""
    template, pod = yaml.safe_load_all((ROOT / "examples" / "manifests" / f"{example}.yaml").read_text())
    (request,) = template["spec"]["spec"]["devices"]["requests"]
    request["exactly"]["count"] = count
    cluster.create(template)
    return Pod(cluster, cluster.create(pod))


def outcome(pod: Pod) -> Sequence[str]:
    """The GPUs that it gets, or why the scheduler has no node for it."""

    def look() -> Sequence[str]:
        conditions = {row["type"]: row for row in (pod.get().get("status") or {}).get("conditions", ())}
        scheduled = conditions.get("PodScheduled", {})
        if scheduled.get("status") == "False":
            return str(scheduled["message"])
        return sorted(row.device for row in pod.claim("gpus").devices())

    return wait_for(look, "the scheduler to decide", timeout=10)


@pytest.mark.parametrize(
    ("name", "example", "count", "gpus"),
    [
        ("a100-pcie-4", "same-nvlink-domain", 2, (0, 1)),
        ("a100-pcie-4", "same-nvlink-domain", 3, None),
        ("a100-pcie-4", "same-pcie-root", 2, (0, 1)),
        ("a100-pcie-4", "same-numa-node", 2, (0, 1)),
        ("a100-pcie-4", "same-numa-node", 4, None),
        ("h100-sxm-8", "same-nvlink-domain", 8, range(8)),
        ("h100-sxm-8", "same-pcie-root", 2, None),
        ("h100-sxm-8", "same-numa-node", 4, range(4)),
        ("h100-sxm-8", "same-numa-node", 5, None),
        ("gb200-nvl-4", "same-nvlink-domain", 4, range(4)),
        ("gb200-nvl-4", "same-numa-node", 3, None),
        ("l40s-4", "same-nvlink-domain", 2, None),
        ("l40s-4", "same-numa-node", 2, (0, 1)),
        ("example", "same-numa-node", 2, None),
    ],
)
def test_a_claim_gets_what_belongs_together_or_nothing(
    cluster: Cluster, name: str, example: str, count: int, gpus: Any
) -> None:
    have(cluster, name)
    pod = apply(cluster, example, count)
    try:
        found = outcome(pod)
        if gpus is None:
            assert "cannot allocate all claims" in found
        else:
            assert found == [f"gpu-{index}" for index in gpus]
    finally:
        pod.delete()
        cluster.api.delete("resourceclaimtemplates", example, "default")


def test_who_has_the_first_domain_leaves_the_second_to_others(cluster: Cluster) -> None:
    """First fit alone would begin with gpu-1: the constraint has to pass over a domain that is half taken."""
    have(cluster, "a100-pcie-4")
    one = apply(cluster, "same-pcie-root", 1)
    assert outcome(one) == ["gpu-0"]
    pair = apply(cluster, "same-nvlink-domain", 2)
    assert outcome(pair) == ["gpu-2", "gpu-3"]
    for pod in (one, pair):
        pod.delete()
