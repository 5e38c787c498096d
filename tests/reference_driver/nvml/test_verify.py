"""The program that compares what would be published with what is found otherwise."""

from pathlib import Path

import pytest

from reference_driver.gpu.nvml.verify import main

from .conftest import Machine, of
from .test_sharing import mode


def verify(machine: Machine, *more: str) -> int:
    roots = [
        "--cdi-hook=/usr/bin/nvidia-cdi-hook",
        f"--driver-root-mount={machine.root}",
        f"--system-root={machine.root}",
    ]
    return main([f"--nvml-library={machine.libnvml}", *roots, *more])


FLEETS = ("a100-pcie-4", "gb200-nvl-4", "h100-sxm-8", "mixed", "empty")


@pytest.mark.parametrize("machine", FLEETS, indirect=True)
def test_all_agrees(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(machine) == 0, capsys.readouterr().out
    assert "all agrees" in capsys.readouterr().out


@of("a100-pcie-4")
def test_what_differs_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    link = machine.root / "sys/bus/pci/devices/0000:31:00.0"
    target = str(link.readlink())
    link.unlink()
    link.symlink_to(target.replace("pci0000:16", "pci0000:15"))
    (machine.root / "proc/driver/nvidia/gpus/0000:b1:00.0/information").write_text("Model: A\nDevice Minor: 2\n")
    (machine.root / "dev/nvidia3").unlink()
    assert verify(machine) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("DIFFERS")]
    assert [line.split(":")[0] for line in told] == [
        "DIFFERS  gpu-2",
        "DIFFERS  gpu-0 and gpu-1",
        "DIFFERS  gpu-3 cannot be given to containers",
    ]
    assert "model is 'NVIDIA A100 80GB PCIe', and NVML or the machine says 'A'" in told[0]


@of("l40s-4")
def test_a_gpu_that_does_not_answer_is_a_problem(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.happens("sicken", "gpu-1")
    assert verify(machine) == 1
    assert "DIFFERS  a GPU does not answer: NVML: GPU is lost" in capsys.readouterr().out


@of("l40s-4")
def test_it_only_reads_unless_more_is_allowed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    mode(machine, 2, 2)
    before = [mode(machine, index) for index in range(4)]
    machine.happens("fail", "--function=nvmlDeviceSetComputeMode", "--error=no-permission")
    assert verify(machine) == 0, capsys.readouterr().out
    assert verify(machine, "--allow-reconfigure") == 3
    assert "NVML: Insufficient Permissions (nvmlDeviceSetComputeMode)" in capsys.readouterr().err
    machine.happens("recover")
    assert verify(machine, "--allow-reconfigure") == 0
    assert [mode(machine, index) for index in range(4)] == before


@of("l40s-4")
def test_without_nvml_it_says_why(machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"--nvml-library={tmp_path / 'none.so'}"]) == 3
    assert f"--nvml-library={tmp_path / 'none.so'}: libnvidia-ml.so.1 cannot be loaded" in capsys.readouterr().err
    machine.happens("fail", "--function=nvmlInit", "--error=driver-not-loaded")
    assert verify(machine) == 3
    assert capsys.readouterr().err == "verify: NVML: Driver Not Loaded (nvmlInit)\n"
    with pytest.raises(SystemExit) as ended:
        main(["--ignored-xids=many"])
    assert ended.value.code == 2
