"""Initialising and shutting down, GPUs that come and go meanwhile, and functions that fail."""

import os
import threading
from pathlib import Path

import pytest

from fakegpu.change import follow

from .conftest import Machine, eventually, of


def test_nothing_works_before_it_is_initialised(machine: Machine) -> None:
    assert machine.error("nvmlDeviceGetCount") == "Uninitialized"
    assert machine.error("nvmlSystemGetDriverVersion") == "Uninitialized"
    assert machine.error("nvmlShutdown") == "Uninitialized"


def test_it_is_in_use_until_all_have_shut_it_down(machine: Machine) -> None:
    nvml = machine.nvml
    nvml.nvmlInit()
    nvml.nvmlInit()
    nvml.nvmlShutdown()
    assert nvml.nvmlDeviceGetCount() == 8
    nvml.nvmlShutdown()
    assert machine.error("nvmlDeviceGetCount") == "Uninitialized"


@of("l40s-4")
def test_handles_end_with_the_library(fleet: Machine) -> None:
    handle = fleet.gpu(0)
    fleet.nvml.nvmlShutdown()
    fleet.nvml.nvmlInit()
    assert fleet.error("nvmlDeviceGetName", handle) == "Invalid Argument"
    assert fleet.error("nvmlDeviceGetName", None) == "Invalid Argument"


@of("l40s-4")
def test_a_gpu_that_vanishes_is_lost_until_the_library_begins_anew(fleet: Machine) -> None:
    nvml, handle = fleet.nvml, fleet.gpu(2)
    fleet.happens("remove", "gpu-2")
    assert nvml.nvmlDeviceGetCount() == 4
    assert fleet.error("nvmlDeviceGetName", handle) == "GPU is lost"
    nvml.nvmlShutdown()
    nvml.nvmlInit()
    assert nvml.nvmlDeviceGetCount() == 3
    assert nvml.nvmlDeviceGetMinorNumber(fleet.gpu(2)) == 3


@of("l40s-4")
def test_a_gpu_that_appears_is_seen_when_the_library_begins_anew(fleet: Machine) -> None:
    fleet.happens("add", "gpu-4")
    assert fleet.nvml.nvmlDeviceGetCount() == 4
    fleet.nvml.nvmlShutdown()
    fleet.nvml.nvmlInit()
    assert fleet.nvml.nvmlDeviceGetCount() == 5


def test_a_driver_of_another_version_is_told_at_once(machine: Machine) -> None:
    machine.happens("fail", "--function=nvmlInit", "--error=lib-rm-version-mismatch")
    assert machine.error("nvmlInit") == "RM has detected an NVML/RM version mismatch."
    assert machine.error("nvmlDeviceGetCount") == "Uninitialized"
    machine.happens("recover")
    machine.nvml.nvmlInit()


@pytest.mark.parametrize("error", ["driver-not-loaded", "no-permission", "timeout", "unknown"])
def test_it_cannot_be_initialised(machine: Machine, error: str) -> None:
    machine.happens("fail", "--function=nvmlInit", f"--error={error}")
    with pytest.raises(getattr(machine.nvml, f"NVMLError_{error.title().replace('-', '')}")):
        machine.nvml.nvmlInit()


@of("l40s-4")
def test_a_function_fails_for_one_gpu(fleet: Machine) -> None:
    nvml = fleet.nvml
    fleet.happens("fail", "gpu-1", "--function=nvmlDeviceGetMemoryInfo", "--error=timeout")
    assert fleet.error("nvmlDeviceGetMemoryInfo", fleet.gpu(1)) == "Timeout"
    with pytest.raises(nvml.NVMLError_Timeout):
        nvml.nvmlDeviceGetMemoryInfo(fleet.gpu(1), version=nvml.nvmlMemory_v2)
    assert nvml.nvmlDeviceGetMemoryInfo(fleet.gpu(0)).total
    assert nvml.nvmlDeviceGetName(fleet.gpu(1)) == "NVIDIA L40S"
    fleet.happens("fail", "gpu-1", "--error=reset-required")
    assert fleet.error("nvmlDeviceGetName", fleet.gpu(1)) == "GPU requires restart"


@of("l40s-4")
@pytest.mark.parametrize("gpu", ["gpu-1", ""])
def test_a_function_hangs_until_it_does_not(fleet: Machine, gpu: str) -> None:
    nvml, handle = fleet.nvml, fleet.gpu(1)
    fleet.happens("fail", gpu, "--function=nvmlDeviceGetName", "--error=hang")
    names: list[str] = []
    asking = threading.Thread(target=lambda: names.append(nvml.nvmlDeviceGetName(handle)))
    asking.start()
    assert nvml.nvmlDeviceGetIndex(handle) == 1
    assert names == []
    fleet.happens("recover")
    asking.join(10)
    assert names == ["NVIDIA L40S"]


@of("l40s-4")
def test_what_hangs_ends_with_the_library(fleet: Machine) -> None:
    handle, errors = fleet.gpu(1), []
    fleet.happens("fail", "gpu-1", "--function=nvmlDeviceGetName", "--error=hang")
    asking = threading.Thread(target=lambda: errors.append(fleet.error("nvmlDeviceGetName", handle)))
    asking.start()
    fleet.nvml.nvmlDeviceGetCount()
    fleet.nvml.nvmlShutdown()
    asking.join(10)
    assert errors == ["Uninitialized"]


@of("l40s-4")
def test_a_function_fails_for_all(fleet: Machine) -> None:
    fleet.happens("fail", "--function=nvmlDeviceGetCount_v2", "--error=unknown")
    assert fleet.error("nvmlDeviceGetCount") == "Unknown Error"
    assert fleet.nvml.nvmlDeviceGetName(fleet.gpu(0)) == "NVIDIA L40S"


def test_structures_of_another_version_are_refused(machine: Machine) -> None:
    nvml = machine.nvml
    nvml.nvmlInit()
    with pytest.raises(nvml.NVMLError_ArgumentVersionMismatch):
        nvml.nvmlDeviceGetMemoryInfo(machine.gpu(0), version=0x3000028)


def test_errors_are_called_as_nvidia_calls_them(machine: Machine) -> None:
    nvml = machine.nvml
    nvml.nvmlInit()
    texts = nvml.NVMLError._errcode_to_string
    assert {number: nvml.nvmlErrorString(number) for number in texts} == texts
    assert nvml.nvmlErrorString(28) == "GPU not found"


def test_without_a_table_there_is_no_driver(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FAKEGPU_NVML")
    assert machine.error("nvmlInit") == "Driver Not Loaded"
    assert "FAKEGPU_NVML must name the table" in capfd.readouterr().err
    monkeypatch.setenv("FAKEGPU_NVML", str(tmp_path / "nowhere"))
    assert machine.error("nvmlInit") == "Driver Not Loaded"
    assert f"cannot read {tmp_path}/nowhere: No such file or directory" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("driver\t1\ncolour\tred\nend\n", "cannot understand {path}, line 2"),
        ("cuda\tmany\nend\n", "cannot understand {path}, line 1"),
        ("gpu\t0\t1\n", "cannot understand {path}, line 1"),
        ("driver\t1\n", "{path} is cut off"),
        ("", "{path} is cut off"),
    ],
)
def test_a_table_that_is_wrong_is_named(
    machine: Machine, text: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = Path(os.environ["FAKEGPU_NVML"])
    path.write_text(text)
    assert machine.error("nvmlInit") == "Driver Not Loaded"
    assert words.format(path=path) in capfd.readouterr().err


@of("l40s-4")
def test_a_table_that_becomes_wrong_changes_nothing(fleet: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    path = Path(os.environ["FAKEGPU_NVML"])
    path.write_text("nonsense\n")
    assert [fleet.nvml.nvmlDeviceGetName(fleet.gpu(index)) for index in range(4)] == ["NVIDIA L40S"] * 4
    assert capfd.readouterr().err.count("cannot understand") == 1
    path.unlink()
    assert fleet.nvml.nvmlDeviceGetCount() == 4


def test_the_table_follows_edits_of_the_file(machine: Machine) -> None:
    stop, said, told = threading.Event(), [], threading.Event()

    def say(words: str) -> None:
        said.append(words)
        told.set()

    following = threading.Thread(target=follow, args=(machine.file, stop, say))
    following.start()
    machine.nvml.nvmlInit()
    machine.file.write_text("gpus: [{modle: A}]")
    assert told.wait(10)
    assert machine.nvml.nvmlDeviceGetName(machine.gpu(0)) == "LATEST-GPU-MODEL"
    machine.file.write_text("gpus: [{model: A}]")
    eventually(lambda: machine.nvml.nvmlDeviceGetName(machine.gpu(0)) == "A")
    stop.set()
    following.join()
    assert "did you mean model?" in said[0]


@of("h100-sxm-8")
def test_many_threads_ask_while_gpus_come_and_go(fleet: Machine) -> None:
    nvml, problems, stop = fleet.nvml, [], threading.Event()

    def ask() -> None:
        while not stop.is_set():
            for index in range(8):
                try:
                    if nvml.nvmlDeviceGetName(fleet.gpu(index)) != "NVIDIA H100 80GB HBM3":
                        problems.append(index)
                except nvml.NVMLError_GpuIsLost:
                    continue
                except nvml.NVMLError as error:
                    problems.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for event in ("remove", "add", "sicken", "recover"):
        fleet.happens(event)
    stop.set()
    for thread in threads:
        thread.join()
    assert problems == []
