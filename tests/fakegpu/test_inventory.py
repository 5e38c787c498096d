import threading
from pathlib import Path

import pytest

from fakegpu import Gpu, InventoryError, default_inventory, load_inventory, watch_file


def test_the_same_node_has_the_same_gpus() -> None:
    gpus = default_inventory("node-a")
    assert gpus == default_inventory("node-a")
    assert [gpu.name for gpu in gpus] == [f"gpu-{index}" for index in range(8)]
    assert (gpus[0].model, gpus[0].memory, gpus[0].driver_version) == ("LATEST-GPU-MODEL", "80Gi", "1.0.0")
    assert not {gpu.uuid for gpu in gpus} & {gpu.uuid for gpu in default_inventory("node-b")}


def test_a_file_with_different_gpus(tmp_path: Path) -> None:
    path = tmp_path / "gpus.yaml"
    path.write_text("gpus: [{count: 2, memory: 40Gi}, {index: 7, uuid: gpu-x}, {model: OLD}]")
    gpus = load_inventory(path, "node-a")
    assert [gpu.index for gpu in gpus] == [0, 1, 7, 8]
    assert gpus[2] == Gpu(7, "gpu-x")
    assert (gpus[0].memory, gpus[3].model) == ("40Gi", "OLD")
    assert gpus[1].uuid == default_inventory("node-a")[1].uuid


def test_what_ails_a_gpu_follows_from_how_it_is(tmp_path: Path) -> None:
    path = tmp_path / "gpus.yaml"
    path.write_text(
        "gpus: [{health: {lost: true}}, {health: {uncorrected: 2}}, {health: {lost: true}, fault: odd}, {}]"
    )
    faults = [gpu.fault for gpu in load_inventory(path, "node-a")]
    assert faults == ["fell off the bus", "2 uncorrected ECC errors", "odd", ""]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gpus: 3", "a list `gpus`"),
        ("gpus: [3]", r"gpus\[0\] must be a map"),
        ("gpus: [{colour: red}]", "unknown field 'colour'"),
        ("gpus: [{count: many}]", "count must be of type int"),
        ("gpus: [{count: true}]", "count must be of type int"),
        ("gpus: [{index: -1}]", "must not be negative"),
        ("gpus: [{}, {index: 0}]", "index 0 is taken"),
        ("gpus: [{count: 2, uuid: x}]", "leave out `count`"),
        ("gpus: [1", r"cannot be read: line \d, column \d is no YAML, did not find expected ',' or ']'"),
        ("gpus: \x00", "cannot be read: it is no YAML"),
        ("{}", "a list `gpus`, or with the name of a `fleet`"),
        ("fleet: h100", "fleet must be one of a100-pcie-4, .* not 'h100'"),
        ("gpus: [{modle: x}]", r"gpus\[0\]: unknown field 'modle'; did you mean model?"),
        ("{cudaVersion: 13.0, gpus: []}", "cudaVersion must be of type str; put quotes around 13.0"),
        ("gpus: [{pciBusId: 0000:43:00.0}]", r"gpus\[0\].pciBusId must be of type str; put quotes around"),
        ("gpus: [{pciBusId: here}]", "pciBusId must be a PCI address such as 0000:1b:00.0, not 'here'"),
        ("gpus: [{memory: 80 GB}]", "memory must be a quantity such as 80Gi or 81559Mi, not '80 GB'"),
        ('gpus: [{model: "a\\nb"}]', "model must be printable text on one line"),
        ("gpus: [{absent: 1}]", "absent must be of type bool"),
        ("gpus: [{nvlinks: 3}]", "nvlinks must be a list"),
        ("gpus: [{nvlinks: [{gpu: 1}]}]", r"gpus\[0\].nvlinks\[0\]: count is missing"),
        ("gpus: [{errors: {getName: timeout}}]", "must be a function such as nvmlDeviceGetName, or *"),
        ("gpus: [{errors: {nvmlInit: late}}]", r"gpus\[0\].errors\[nvmlInit\] must be one of .*timeout.* not 'late'"),
        ("gpus: [{health: {throttle: [heat]}}]", "must be one of sw-power-cap, .* not 'heat'"),
        ("{cpus: [all], gpus: []}", "must be a list of processors such as 0-55,112-167, not 'all'"),
        ("{products: {X: {speed: 1}}, gpus: []}", r"products\[X\]: unknown field 'speed'"),
        ("gpus: [{count: 2, pciBusId: '0000:01:00.0'}]", "a pciBusId is for one GPU"),
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "gpus.yaml"
    path.write_text(text)
    with pytest.raises(InventoryError, match=words):
        load_inventory(path, "node-a")


@pytest.mark.parametrize(
    ("gpus", "words"),
    [
        ("{nvlinks: [{gpu: 1, count: 1}]}", "has 1 links in nvlinks, but its model 'LATEST-GPU-MODEL' has 0"),
        ("{model: A, nvlinks: [{gpu: 7, count: 1}]}", "nvlinks lead to gpu-7, which is no other GPU"),
        ("{model: A, nvlinks: [{gpu: 1, count: 1}]}, {model: A}", "nvlinks to gpu-1 are not as many as those back"),
        ("{mig: [{profile: 1g.5gb, start: 0}]}", "has no MIG profile '1g.5gb'; there are none"),
        ("{model: A, mig: [{profile: 1g, start: 5}]}", "GPU 0: 1g cannot start at 5; it can at 0, 1"),
        ("{model: A, mig: [{profile: 1g, start: 0}, {profile: 2g, start: 0}]}", "2g at 0 overlaps 1g at 0"),
        ("{model: A, mig: [{profile: 1g, start: 0}, {profile: 1g, start: 1}]}", "2 instances of 1g, but only 1 fit"),
        ("{numaNode: 1}", "numaNode 1 has no line in `cpus`"),
        ("{pciBusId: '0000:0A:00.0'}, {pciBusId: '0000:0a:00.0'}", "2 GPUs have pciBusId 0000:0a:00.0"),
    ],
)
def test_gpus_that_cannot_be(tmp_path: Path, gpus: str, words: str) -> None:
    path = tmp_path / "gpus.yaml"
    one = "{name: 1g, id: 1, number: 0, slices: 1, instances: 1, starts: [0, 1], size: 1, memory: 4Gi, %s}"
    two = "{name: 2g, id: 2, number: 1, slices: 2, instances: 1, starts: [0], size: 2, memory: 8Gi, %s}"
    products = f"{{A: {{nvlinks: 4, mig: [{one}, {two}]}}}}".replace("%s", "multiprocessors: 7")
    path.write_text(f"{{cpus: ['0-3'], products: {products}, gpus: [{gpus}]}}")
    with pytest.raises(InventoryError, match=words):
        load_inventory(path, "node-a")


def test_changes_of_a_file_are_told(tmp_path: Path) -> None:
    path, changed, stop = tmp_path / "gpus.yaml", threading.Event(), threading.Event()
    path.write_text("gpus: []")
    watcher = threading.Thread(target=watch_file, args=(path, changed.set, stop, 0.01))
    watcher.start()
    assert not changed.wait(0.05)
    path.write_text("gpus: [{}]")
    assert changed.wait(5)
    stop.set()
    watcher.join(5)
    assert not watcher.is_alive()
