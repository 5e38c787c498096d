"""What a machine has in its file system for its GPUs."""

from pathlib import Path

import pytest

from fakegpu import FLEETS, fleet_file, load_node
from fakegpu.__main__ import main
from fakegpu.tree import capability


def tree(tmp_path: Path, fleet: str) -> Path:
    assert main([str(fleet_file(fleet)), "tree", str(tmp_path)]) == 0
    return tmp_path


@pytest.mark.parametrize("fleet", FLEETS)
def test_every_gpu_of_a_fleet_has_its_files(tmp_path: Path, fleet: str) -> None:
    gpus, root = load_node(fleet_file(fleet), "node-a").gpus, tree(tmp_path, fleet)
    assert len(list(root.glob("sys/bus/pci/devices/*"))) == len(gpus)
    assert len(list(root.glob("dev/nvidia[0-9]*"))) == len(gpus)


def test_the_root_of_a_gpu_is_on_its_path(tmp_path: Path) -> None:
    root = tree(tmp_path, "a100-pcie-4")
    for gpu in load_node(fleet_file("a100-pcie-4"), "node-a").gpus:
        link = root / "sys/bus/pci/devices" / gpu.pci_bus_id
        place = link.resolve().relative_to(root / "sys/devices")
        assert (place.parts[0], place.name) == (gpu.pcie_root, gpu.pci_bus_id)
        assert not link.readlink().is_absolute()
        assert (link / "numa_node").read_text() == f"{gpu.numa_node}\n"
        assert (link / "device").read_text() == "0x20b5\n"
    assert (root / "sys/bus/pci/devices/0000:b1:00.0/local_cpulist").read_text() == "32-63,96-127\n"


def test_it_follows_events_where_it_is_kept(tmp_path: Path) -> None:
    file, root = tmp_path / "gpus.yaml", tmp_path / "root"
    for event in (["fleet", "l40s-4"], ["tree", str(root), "--keep"], ["remove", "gpu-3"]):
        assert main([str(file), *event]) == 0
    assert not (root / "dev/nvidia3").exists()
    assert len(list(root.glob("proc/driver/nvidia/gpus/*"))) == len(list(root.glob("sys/bus/pci/devices/*"))) == 3
    assert main([str(file), "add"]) == 0
    assert len(list(root.glob("proc/driver/nvidia/gpus/*"))) == len(list(root.glob("sys/bus/pci/devices/*"))) == 4


def test_a_gpu_without_a_numa_node_has_none(tmp_path: Path) -> None:
    root = tree(tmp_path, "example")
    assert (root / "sys/bus/pci/devices/0000:10:00.0/numa_node").read_text() == "-1\n"


def test_what_is_gone_is_gone(tmp_path: Path) -> None:
    tree(tmp_path, "h100-sxm-8")
    root = tree(tmp_path, "l40s-4")
    assert sorted(path.name for path in root.glob("dev/nvidia[0-9]*")) == [f"nvidia{index}" for index in range(4)]
    assert len(list(root.glob("sys/bus/pci/devices/*"))) == 4


def test_access_to_partitions_has_minor_numbers(tmp_path: Path) -> None:
    root = tree(tmp_path, "h100-sxm-8")
    minors = (root / "proc/driver/nvidia-caps/mig-minors").read_text().splitlines()
    assert minors[:4] == ["config 1", "monitor 2", "gpu0/gi0/access 3", "gpu0/gi0/ci0/access 4"]
    assert f"gpu1/gi0/access {capability(1, 0)}" in minors
    assert (capability(1, 0), capability(0, 7, 1)) == (138, 68)
    assert len({line.split()[1] for line in minors}) == len(minors)


def test_the_driver_has_libraries_of_its_version(tmp_path: Path) -> None:
    root = tree(tmp_path, "l40s-4")
    assert "570.172.08" in (root / "proc/driver/nvidia/version").read_text()
    assert (root / "usr/lib/x86_64-linux-gnu/libcuda.so.570.172.08").is_file()
    assert (root / "dev/nvidia-uvm").is_file()
