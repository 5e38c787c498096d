from pathlib import Path

import pytest

from fakegpu import Gpu, InventoryError, default_inventory, load_inventory
from fakegpu.__main__ import main


def happens(file: Path, *event: str) -> tuple[Gpu, ...]:
    """Let something happen; the GPUs afterwards."""
    assert main([str(file), *event]) == 0
    return load_inventory(file, "node-a")


def test_a_gpu_vanishes_and_appears_again(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    assert [gpu.name for gpu in happens(file, "remove", "gpu-3", "--num-devices=5")] == [
        "gpu-0",
        "gpu-1",
        "gpu-2",
        "gpu-4",
    ]
    assert happens(file, "add", "gpu-3") == default_inventory("node-a", 5)
    assert happens(file, "add")[-1].name == "gpu-5"


def test_it_is_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    file.write_text("gpus: [{count: 2, memory: 40Gi}, {index: 7, uuid: gpu-x}]")
    before = load_inventory(file, "node-a")
    assert happens(file, "remove") == before[:2]
    assert happens(file, "add") == before


def test_a_gpu_fails_and_recovers(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    assert [gpu.name for gpu in happens(file, "sicken", "gpu-2") if gpu.fault] == ["gpu-2"]
    assert [gpu.name for gpu in happens(file, "sicken") if gpu.fault] == ["gpu-2", "gpu-7"]
    assert [gpu.name for gpu in happens(file, "recover", "gpu-2") if gpu.fault] == ["gpu-7"]
    assert happens(file, "recover") == default_inventory("node-a")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (("remove", "gpu-9"), "there is no GPU 'gpu-9'; there are gpu-0"),
        (("add", "nic-1"), "'nic-1' is no name of a GPU"),
        (("sicken", "gpu-0", "--num-devices=0"), "there are none"),
    ],
)
def test_what_cannot_happen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], event: tuple[str, ...], words: str
) -> None:
    assert main([str(tmp_path / "gpus.yaml"), *event]) == 1
    assert words in capsys.readouterr().err
    with pytest.raises(InventoryError, match="cannot be read"):
        load_inventory(tmp_path / "gpus.yaml", "node-a")
