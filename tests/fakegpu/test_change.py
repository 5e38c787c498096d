from pathlib import Path

import pytest

from fakegpu import Gpu, InventoryError, default_inventory, load_inventory, load_node
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


def test_a_gpu_that_falls_off_the_bus_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    assert [gpu.name for gpu in happens(file, "sicken", "gpu-1") if gpu.health.lost] == ["gpu-1"]
    assert [(event.gpu, event.what, event.code) for event in load_node(file, "node-a").happened] == [(1, "xid", 79)]


def test_an_xid_ails_a_gpu_unless_a_program_is_to_blame(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    assert happens(file, "xid", "gpu-1", "--code=48")[1].fault == "XID 48"
    assert happens(file, "xid", "gpu-2", "--code=13")[2].fault == ""
    assert happens(file, "xid", "gpu-3", "--code=48", "--instances", "7", "0")[3].fault == ""
    assert [(event.number, event.gpu, event.code) for event in load_node(file, "node-a").happened] == [
        (1, 1, 48),
        (2, 2, 13),
        (3, 3, 48),
    ]


def test_errors_in_memory_are_counted_and_those_of_a_life_stay(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    assert happens(file, "ecc", "gpu-0", "--errors=3", "--corrected")[0].fault == ""
    assert happens(file, "ecc", "gpu-0")[0].fault == "1 uncorrected ECC errors"
    health = happens(file, "ecc", "gpu-0", "--errors=2")[0].health
    assert (health.corrected, health.uncorrected, health.uncorrected_ever) == (3, 3, 3)
    after = happens(file, "recover", "gpu-0")[0]
    assert (after.fault, after.health.uncorrected, after.health.uncorrected_ever) == ("", 0, 3)


def test_clocks_are_slowed(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    happens(file, "throttle", "gpu-0", "--reason=sw-power-cap")
    gpu = happens(file, "throttle", "gpu-0")[0]
    assert (gpu.health.throttle, gpu.health.temperature, gpu.fault) == (("hw-thermal-slowdown", "sw-power-cap"), 92, "")
    assert happens(file, "recover") == default_inventory("node-a")


def test_a_fleet_is_changed_by_events(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    before = happens(file, "fleet", "h100-sxm-8")
    assert happens(file, "remove", "gpu-2") == before[:2] + before[3:]
    assert happens(file, "add") == before
    cut = happens(file, "mig", "gpu-0", "--instance=3g.40gb:4", "--instance=1g.10gb:0")
    assert [(each.profile, each.start) for each in cut[0].mig or ()] == [("3g.40gb", 4), ("1g.10gb", 0)]
    assert happens(file, "mig", "gpu-0", "--empty")[0].mig == ()
    assert happens(file, "mig", "gpu-0", "--off") == before
    assert happens(file, "fleet", "empty") == ()


def test_functions_fail_for_a_gpu_or_for_all(tmp_path: Path) -> None:
    file = tmp_path / "gpus.yaml"
    assert happens(file, "fail", "gpu-1", "--function=nvmlDeviceGetName", "--error=timeout")[1].errors == (
        ("nvmlDeviceGetName", "timeout"),
    )
    happens(file, "fail", "--error=lib-rm-version-mismatch")
    assert load_node(file, "node-a").errors == (("*", "lib-rm-version-mismatch"),)
    assert happens(file, "recover") == default_inventory("node-a")
    assert load_node(file, "node-a").errors == ()


@pytest.mark.parametrize("event", ["add", "table"])
def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str], event: str) -> None:
    assert main([str(tmp_path / "none" / "gpus.yaml"), event]) == 1
    assert f"there is no folder {tmp_path}/none; make it, or name another file" in capsys.readouterr().err


def test_what_would_be_impossible_does_not_happen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gpus.yaml"
    before = happens(file, "fleet", "l40s-4")
    assert main([str(file), "mig", "gpu-0", "--instance=1g.10gb:0"]) == 1
    assert f"inventory {file}: GPU 0: its model has no MIG profile '1g.10gb'" in capsys.readouterr().err
    assert load_inventory(file, "node-a") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gpus.yaml.lock", "gpus.yaml"]


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
