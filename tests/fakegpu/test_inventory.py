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
        ("gpus: [", "cannot be read"),
    ],
)
def test_a_file_that_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "gpus.yaml"
    path.write_text(text)
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
