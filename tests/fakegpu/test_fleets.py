"""The fleets that ship, and inventories that build on them."""

from pathlib import Path

import pytest

from fakegpu import FLEETS, Gpu, default_inventory, fleet_file, load_inventory, load_node


def fleet(name: str) -> tuple[Gpu, ...]:
    return load_inventory(fleet_file(name), "node-a")


@pytest.mark.parametrize("name", FLEETS)
def test_every_fleet_can_be_loaded(name: str) -> None:
    gpus = fleet(name)
    assert [gpu.index for gpu in gpus] == list(range(len(gpus)))
    assert fleet(name) == gpus


def test_a_fleet_of_eight_is_joined_by_switches() -> None:
    gpus = fleet("h100-sxm-8")
    assert {(gpu.model, gpu.memory, gpu.product.compute_capability) for gpu in gpus} == {
        ("NVIDIA H100 80GB HBM3", "81559Mi", "9.0")
    }
    assert [gpu.numa_node for gpu in gpus] == [0] * 4 + [1] * 4
    assert len({gpu.pcie_root for gpu in gpus}) == 8
    for gpu in gpus:
        assert sum(links.count for links in gpu.nvlinks) == gpu.product.nvlinks == 18
        assert not any(links.to.startswith("gpu-") for links in gpu.nvlinks)


def test_cards_are_joined_in_pairs_on_one_numa_node() -> None:
    gpus = {gpu.name: gpu for gpu in fleet("a100-pcie-4")}
    for gpu in gpus.values():
        (links,) = gpu.nvlinks
        other = gpus[links.to]
        assert (other.numa_node, other.pcie_root, other.pcie_switch) == (gpu.numa_node, gpu.pcie_root, gpu.pcie_switch)
    assert len({gpu.pcie_root for gpu in gpus.values()}) == 2


def test_a_tray_is_part_of_a_domain_that_reaches_beyond_it() -> None:
    gpus = fleet("gb200-nvl-4")
    assert len({gpu.fabric for gpu in gpus}) == 1
    assert gpus[0].fabric
    assert len({gpu.memory_numa_node for gpu in gpus}) == 4
    assert all(gpu.product.coherent for gpu in gpus)


def test_profiles_of_partitions_are_those_of_the_model() -> None:
    gpus = fleet("mixed")
    assert [[instance.profile for instance in gpu.mig or ()] for gpu in gpus] == [
        ["3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb+me"],
        [],
        [],
        [],
    ]
    assert [gpu.mig is None for gpu in gpus] == [False, False, True, True]
    for gpu in gpus:
        for profile in gpu.product.mig:
            assert profile.multiprocessors <= gpu.product.multiprocessors
            assert profile.instances <= len(profile.starts)
            assert all(start + profile.size <= 8 for start in profile.starts)


def test_the_empty_node_has_a_driver_and_no_gpu() -> None:
    node = load_node(fleet_file("empty"), "node-a")
    assert (node.gpus, node.driver_version) == ((), "580.95.05")


def test_the_example_is_what_a_node_without_a_file_has() -> None:
    assert fleet("example") == default_inventory("node-a")


def test_odd_things_are_as_they_were_told() -> None:
    gpus = fleet("odd")
    assert len(gpus) == 16
    assert (gpus[0].model, gpus[4].driver_version, gpus[5].driver_version) == ("", "", "580.95.05.01")
    assert gpus[2].uuid == gpus[3].uuid
    assert len(gpus[1].model) > 96


def test_an_inventory_builds_on_a_fleet(tmp_path: Path) -> None:
    path = tmp_path / "gpus.yaml"
    path.write_text(
        "fleet: a100-pcie-4\ndriverVersion: 570.1.2\n"
        "gpus: [{index: 1, mig: [{profile: 7g.80gb, start: 0}]}, {index: 2, absent: true}, {index: 9}]"
    )
    gpus = load_inventory(path, "node-a")
    assert [gpu.index for gpu in gpus] == [0, 1, 3, 9]
    assert gpus[1].model == "NVIDIA A100 80GB PCIe"
    assert [instance.profile for instance in gpus[1].mig or ()] == ["7g.80gb"]
    assert {gpu.driver_version for gpu in gpus} == {"570.1.2"}


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "gpus.yaml"
    path.write_text("{products: {X1: {memory: 7Gi, architecture: Volta}}, gpus: [{model: X1}, {architecture: Turing}]}")
    first, second = load_inventory(path, "node-a")
    assert (first.memory, first.product.architecture) == ("7Gi", "Volta")
    assert second.product.architecture == "Turing"
