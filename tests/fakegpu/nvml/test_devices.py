"""GPUs are found, and are what the inventory says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakegpu import FLEETS, load_inventory
from fakegpu.change import SEED
from fakegpu.fields import amount

from .conftest import Machine, of


@pytest.mark.parametrize("fleet", FLEETS, indirect=True)
def test_every_fleet_is_seen_as_it_is(fleet: Machine) -> None:
    nvml, gpus = fleet.nvml, load_inventory(fleet.file, SEED)
    assert nvml.nvmlDeviceGetCount() == len(gpus)
    for index, gpu in enumerate(gpus):
        handle = fleet.gpu(index)
        assert nvml.nvmlDeviceGetIndex(handle) == index
        assert nvml.nvmlDeviceGetMinorNumber(handle) == gpu.index
        assert nvml.nvmlDeviceGetUUID(handle) == gpu.uuid
        assert nvml.nvmlDeviceGetMemoryInfo(handle).total == amount(gpu.memory)
        capability = ".".join(map(str, nvml.nvmlDeviceGetCudaComputeCapability(handle)))
        assert capability == gpu.product.compute_capability
        architecture = getattr(nvml, f"NVML_DEVICE_ARCH_{gpu.product.architecture.upper()}")
        assert nvml.nvmlDeviceGetArchitecture(handle) == architecture


@of("h100-sxm-8")
def test_a_gpu_is_found_by_each_of_its_names(fleet: Machine) -> None:
    nvml, third = fleet.nvml, fleet.gpu(3)
    uuid = nvml.nvmlDeviceGetUUID(third)
    found = [
        nvml.nvmlDeviceGetHandleByUUID(uuid.encode()),
        nvml.nvmlDeviceGetHandleByUUIDV(uuid.encode(), nvml.NVML_UUID_TYPE_ASCII),
        nvml.nvmlDeviceGetHandleByUUIDV(bytes.fromhex(uuid[4:].replace("-", "")), nvml.NVML_UUID_TYPE_BINARY),
        nvml.nvmlDeviceGetHandleBySerial(nvml.nvmlDeviceGetSerial(third).encode()),
        nvml.nvmlDeviceGetHandleByPciBusId(b"00000000:86:00.0"),
        nvml.nvmlDeviceGetHandleByPciBusId(b"0000:86:00.0"),
    ]
    assert [nvml.nvmlDeviceGetIndex(handle) for handle in found] == [3] * len(found)


@of("h100-sxm-8")
def test_what_is_not_there_is_not_found(fleet: Machine) -> None:
    assert fleet.error("nvmlDeviceGetHandleByIndex", 8) == "Invalid Argument"
    assert fleet.error("nvmlDeviceGetHandleByUUID", b"GPU-of-somebody-else") == "Not Found"
    assert fleet.error("nvmlDeviceGetHandleByUUID", b"MIG-of-somebody-else") == "Not Found"
    assert fleet.error("nvmlDeviceGetHandleBySerial", b"0") == "Not Found"
    assert fleet.error("nvmlDeviceGetHandleByPciBusId", b"0000:01:00.0") == "Not Found"
    assert fleet.error("nvmlDeviceGetHandleByPciBusId", b"somewhere") == "Invalid Argument"


@of("h100-sxm-8")
def test_a_gpu_has_the_figures_of_its_model(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(0)
    assert nvml.nvmlDeviceGetName(gpu) == "NVIDIA H100 80GB HBM3"
    assert nvml.nvmlDeviceGetBrand(gpu) == nvml.NVML_BRAND_NVIDIA
    old, new = nvml.nvmlDeviceGetMemoryInfo(gpu), nvml.nvmlDeviceGetMemoryInfo(gpu, version=nvml.nvmlMemory_v2)
    assert (old.total, old.free + old.used) == (81559 << 20, 81559 << 20)
    assert (new.total, new.reserved, new.used, old.used) == (81559 << 20, 551 << 20, 0, 551 << 20)
    assert nvml.nvmlDeviceGetBAR1MemoryInfo(gpu).bar1Total == 128 << 30
    assert nvml.nvmlDeviceGetNumGpuCores(gpu) == 16896
    assert nvml.nvmlDeviceGetMemoryBusWidth(gpu) == 5120
    assert nvml.nvmlDeviceGetMaxClockInfo(gpu, nvml.NVML_CLOCK_SM) == 1980
    assert nvml.nvmlDeviceGetEnforcedPowerLimit(gpu) == 700_000
    assert (nvml.nvmlDeviceGetMaxPcieLinkGeneration(gpu), nvml.nvmlDeviceGetMaxPcieLinkWidth(gpu)) == (5, 16)
    assert nvml.nvmlDeviceGetComputeRunningProcesses(gpu) == []


@of("gb200-nvl-4")
def test_an_address_is_told_in_all_its_forms(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(2)
    pci = nvml.nvmlDeviceGetPciInfo(gpu)
    assert (pci.busId, pci.busIdLegacy, pci.domain, pci.bus, pci.device) == (
        "00000018:01:00.0",
        "0018:01:00.0",
        0x18,
        1,
        0,
    )
    assert pci.pciDeviceId == 0x294110DE
    more = nvml.nvmlPciInfoExt_v1_t(version=nvml.nvmlPciInfoExt_v1)
    nvml.nvmlDeviceGetPciInfoExt(gpu, nvml.byref(more))
    assert (more.busId, more.baseClass, more.subClass) == ("00000018:01:00.0", 3, 2)


@of("odd")
def test_odd_metadata_is_told_as_far_as_there_is_room(fleet: Machine) -> None:
    nvml = fleet.nvml
    assert nvml.nvmlSystemGetDriverVersion() == "580.95.05.01"
    assert nvml.nvmlDeviceGetName(fleet.gpu(0)) == ""
    assert fleet.error("nvmlDeviceGetName", fleet.gpu(1)) == "Insufficient Size"
    twice = nvml.nvmlDeviceGetUUID(fleet.gpu(3))
    assert nvml.nvmlDeviceGetIndex(nvml.nvmlDeviceGetHandleByUUID(twice.encode())) == 2
    assert fleet.error("nvmlDeviceGetSerial", fleet.gpu(0)) == "Not Supported"


@of("l40s-4")
def test_versions_are_those_of_the_driver(fleet: Machine) -> None:
    nvml = fleet.nvml
    assert nvml.nvmlSystemGetDriverVersion() == "570.172.08"
    assert nvml.nvmlSystemGetNVMLVersion() == "12.570.172.08"
    assert nvml.nvmlSystemGetCudaDriverVersion() == nvml.nvmlSystemGetCudaDriverVersion_v2() == 12080


@of("l40s-4")
def test_the_compute_mode_that_was_set_stays(fleet: Machine) -> None:
    nvml = fleet.nvml
    nvml.nvmlDeviceSetComputeMode(fleet.gpu(1), nvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS)
    nvml.nvmlShutdown()
    nvml.nvmlInit()
    modes = [nvml.nvmlDeviceGetComputeMode(fleet.gpu(index)) for index in range(4)]
    assert modes == [0, nvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS, 0, 0]
    assert fleet.error("nvmlDeviceSetComputeMode", fleet.gpu(0), 9) == "Invalid Argument"


def test_a_program_of_its_own_finds_it_on_the_path_of_the_loader(machine: Machine, libnvml: Path) -> None:
    name = "n.nvmlDeviceGetName(n.nvmlDeviceGetHandleByIndex(0))"
    program = f"import pynvml as n; n.nvmlInit(); print(n.nvmlDeviceGetCount(), {name})"
    env = {**os.environ, "LD_LIBRARY_PATH": str(libnvml.parent)}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("8 LATEST-GPU-MODEL\n", "")


def test_the_loader_does_not_find_it_by_itself(libnvml: Path) -> None:
    """It may find a real one."""
    program = (
        "import contextlib, ctypes\n"
        "with contextlib.suppress(OSError):\n"
        "    ctypes.CDLL('libnvidia-ml.so.1')\n"
        "print(open('/proc/self/maps').read())"
    )
    env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert "libc.so" in done.stdout
    assert str(libnvml.parent) not in done.stdout
