"""MIG: profiles and where they fit, instances that are there and that are made, and the devices that they are."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from .conftest import Machine, of


def profiles(machine: Machine, gpu: Any) -> dict[str, Any]:
    """What NVML says of each profile, by its name."""
    found = {}
    for kind in range(machine.nvml.NVML_GPU_INSTANCE_PROFILE_COUNT):
        try:
            info = machine.nvml.nvmlDeviceGetGpuInstanceProfileInfo(gpu, kind)
        except machine.nvml.NVMLError_NotSupported:
            continue
        found[info.name] = info
    return found


def places(machine: Machine, gpu: Any, profile_id: int) -> list[tuple[int, int]]:
    nvml, count = machine.nvml, ctypes.c_uint(0)
    nvml.nvmlDeviceGetGpuInstancePossiblePlacements(gpu, profile_id, None, ctypes.byref(count))
    room = (nvml.c_nvmlGpuInstancePlacement_t * count.value)()
    nvml.nvmlDeviceGetGpuInstancePossiblePlacements(gpu, profile_id, room, ctypes.byref(count))
    return [(place.start, place.size) for place in room]


def place(machine: Machine, start: int, size: int) -> Any:
    return ctypes.byref(machine.nvml.c_nvmlGpuInstancePlacement_t(start, size))


def devices(machine: Machine, gpu: Any) -> list[Any]:
    """Handles of its MIG devices."""
    found = []
    for index in range(machine.nvml.nvmlDeviceGetMaxMigDeviceCount(gpu)):
        try:
            found.append(machine.nvml.nvmlDeviceGetMigDeviceHandleByIndex(gpu, index))
        except machine.nvml.NVMLError_NotFound:
            continue
    return found


@of("h100-sxm-8")
def test_profiles_are_those_of_the_model(fleet: Machine) -> None:
    gpu = fleet.gpu(0)
    found = profiles(fleet, gpu)
    assert {name: (each.id, each.sliceCount, each.instanceCount) for name, each in found.items()} == {
        "MIG 1g.10gb": (19, 1, 7),
        "MIG 2g.20gb": (14, 2, 3),
        "MIG 3g.40gb": (9, 3, 2),
        "MIG 4g.40gb": (5, 4, 1),
        "MIG 7g.80gb": (0, 7, 1),
        "MIG 1g.10gb+me": (20, 1, 1),
        "MIG 1g.20gb": (15, 1, 4),
    }
    half = found["MIG 3g.40gb"]
    assert (half.multiprocessorCount, half.memorySizeMB, half.copyEngineCount, half.decoderCount) == (60, 40448, 3, 3)
    assert fleet.nvml.nvmlDeviceGetGpuInstanceProfileInfo(gpu, 2, version=1).memorySizeMB == 40448
    assert fleet.nvml.nvmlDeviceGetGpuInstanceProfileInfoById(gpu, 9).name == "MIG 3g.40gb"
    assert places(fleet, gpu, 9) == [(0, 4), (4, 4)]
    assert places(fleet, gpu, 14) == [(0, 2), (2, 2), (4, 2)]


@of("l40s-4")
def test_a_model_without_partitions_says_so(fleet: Machine) -> None:
    gpu = fleet.gpu(0)
    assert fleet.error("nvmlDeviceGetMigMode", gpu) == "Not Supported"
    assert profiles(fleet, gpu) == {}
    assert devices(fleet, gpu) == []


@of("mixed")
def test_partitions_that_are_there_are_devices(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(0)
    assert nvml.nvmlDeviceGetMigMode(gpu) == [1, 1]
    found = devices(fleet, gpu)
    assert [nvml.nvmlDeviceGetName(each) for each in found] == [
        "NVIDIA H100 PCIe MIG 3g.40gb",
        "NVIDIA H100 PCIe MIG 2g.20gb",
        "NVIDIA H100 PCIe MIG 1g.10gb",
        "NVIDIA H100 PCIe MIG 1g.10gb+me",
    ]
    assert len({nvml.nvmlDeviceGetUUID(each) for each in found}) == 4
    half = found[0]
    assert nvml.nvmlDeviceGetUUID(half).startswith("MIG-")
    assert nvml.nvmlDeviceGetMemoryInfo(half).total == 40448 << 20
    attributes = nvml.nvmlDeviceGetAttributes(half)
    assert (attributes.multiprocessorCount, attributes.gpuInstanceSliceCount, attributes.memorySizeMB) == (46, 3, 40448)
    assert nvml.nvmlDeviceIsMigDeviceHandle(half).value == 1
    assert nvml.nvmlDeviceIsMigDeviceHandle(gpu).value == 0
    parent = nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(half)
    assert nvml.nvmlDeviceGetUUID(parent) == nvml.nvmlDeviceGetUUID(gpu)
    again = nvml.nvmlDeviceGetHandleByUUID(nvml.nvmlDeviceGetUUID(half).encode())
    ids = nvml.nvmlDeviceGetGpuInstanceId(again), nvml.nvmlDeviceGetComputeInstanceId(again)
    info = nvml.nvmlGpuInstanceGetInfo(nvml.nvmlDeviceGetGpuInstanceById(gpu, ids[0]))
    assert (info.profileId, info.placement.start, info.placement.size) == (9, 4, 4)
    assert fleet.error("nvmlDeviceGetTemperature", half, 0) == "Not Supported"
    assert fleet.error("nvmlDeviceGetGpuInstanceId", gpu) == "Invalid Argument"


@of("h100-sxm-8")
def test_a_partition_is_made_used_and_ended(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(0)
    assert fleet.error("nvmlDeviceCreateGpuInstance", gpu, 9) == "Not Supported"
    assert nvml.nvmlDeviceSetMigMode(gpu, nvml.NVML_DEVICE_MIG_ENABLE) == 0
    assert nvml.nvmlDeviceGetGpuInstanceRemainingCapacity(gpu, 9) == 2
    instance = nvml.nvmlDeviceCreateGpuInstanceWithPlacement(gpu, 9, place(fleet, 4, 4))
    assert nvml.nvmlDeviceGetGpuInstanceRemainingCapacity(gpu, 9) == 1
    assert nvml.nvmlDeviceGetGpuInstanceRemainingCapacity(gpu, 0) == 0
    assert devices(fleet, gpu) == []
    compute = nvml.nvmlGpuInstanceCreateComputeInstance(instance, nvml.NVML_COMPUTE_INSTANCE_PROFILE_3_SLICE)
    (made,) = devices(fleet, gpu)
    assert nvml.nvmlDeviceGetName(made) == "NVIDIA H100 80GB HBM3 MIG 3g.40gb"
    assert fleet.error("nvmlGpuInstanceDestroy", instance) == "In use by another client"
    assert fleet.error("nvmlDeviceSetMigMode", gpu, 0) == "In use by another client"
    nvml.nvmlComputeInstanceDestroy(compute)
    assert fleet.error("nvmlDeviceGetUUID", made) == "Invalid Argument"
    nvml.nvmlGpuInstanceDestroy(instance)
    assert fleet.error("nvmlGpuInstanceGetInfo", instance) == "Invalid Argument"
    assert nvml.nvmlDeviceSetMigMode(gpu, nvml.NVML_DEVICE_MIG_DISABLE) == 0


@of("mixed")
def test_partitions_do_not_overlap(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(1)
    for _ in range(2):
        nvml.nvmlDeviceCreateGpuInstance(gpu, 14)
    assert (
        fleet.error("nvmlDeviceCreateGpuInstanceWithPlacement", gpu, 9, place(fleet, 0, 4)) == "Insufficient Resources"
    )
    assert fleet.error("nvmlDeviceCreateGpuInstanceWithPlacement", gpu, 9, place(fleet, 3, 4)) == "Invalid Argument"
    nvml.nvmlDeviceCreateGpuInstance(gpu, 9)
    assert fleet.error("nvmlDeviceCreateGpuInstance", gpu, 19) == "Insufficient Resources"
    room, count = (nvml.c_nvmlGpuInstance_t * 7)(), ctypes.c_uint(7)
    nvml.nvmlDeviceGetGpuInstances(gpu, 14, room, ctypes.byref(count))
    assert [nvml.nvmlGpuInstanceGetInfo(room[index]).placement.start for index in range(count.value)] == [0, 2]


@of("mixed")
def test_an_instance_is_divided_into_compute_instances(fleet: Machine) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(1)
    instance = nvml.nvmlDeviceCreateGpuInstance(gpu, 9)
    one_slice, two_slices = nvml.NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE, nvml.NVML_COMPUTE_INSTANCE_PROFILE_2_SLICE
    info = nvml.nvmlGpuInstanceGetComputeInstanceProfileInfo(instance, two_slices, 0)
    assert (info.name, info.sliceCount, info.instanceCount, info.multiprocessorCount) == ("MIG 2c.3g.40gb", 2, 1, 28)
    nvml.nvmlGpuInstanceCreateComputeInstance(instance, two_slices)
    assert nvml.nvmlGpuInstanceGetComputeInstanceRemainingCapacity(instance, one_slice) == 1
    small = nvml.nvmlGpuInstanceCreateComputeInstance(instance, one_slice)
    assert fleet.error("nvmlGpuInstanceCreateComputeInstance", instance, one_slice) == "Insufficient Resources"
    assert nvml.nvmlComputeInstanceGetInfo(small).placement.start == 2
    assert [nvml.nvmlDeviceGetName(each) for each in devices(fleet, gpu)] == [
        "NVIDIA A100 80GB PCIe MIG 2c.3g.40gb",
        "NVIDIA A100 80GB PCIe MIG 1c.3g.40gb",
    ]
    wrong = nvml.NVML_COMPUTE_INSTANCE_PROFILE_4_SLICE
    assert fleet.error("nvmlGpuInstanceCreateComputeInstance", instance, wrong) == "Not Supported"


@of("mixed")
def test_what_was_made_outlives_the_program_until_the_table_is_written_anew(fleet: Machine, libnvml: Path) -> None:
    program = (
        "import pynvml as n; n.nvmlInit(); gpu = n.nvmlDeviceGetHandleByIndex(1);"
        "n.nvmlGpuInstanceCreateComputeInstance(n.nvmlDeviceCreateGpuInstance(gpu, 9), 2)"
    )
    env = {**os.environ, "LD_LIBRARY_PATH": str(libnvml.parent)}
    subprocess.run([sys.executable, "-c", program], env=env, check=True)
    assert [fleet.nvml.nvmlDeviceGetName(each) for each in devices(fleet, fleet.gpu(1))] == [
        "NVIDIA A100 80GB PCIe MIG 3g.40gb"
    ]
    fleet.happens("throttle", "gpu-0")
    assert len(devices(fleet, fleet.gpu(1))) == 1
    fleet.happens("table")
    assert devices(fleet, fleet.gpu(1)) == []
