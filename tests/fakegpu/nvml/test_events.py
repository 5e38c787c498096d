"""What GPUs tell, and how they are."""

import threading
import time
from types import ModuleType
from typing import Any

import pytest

from .conftest import Machine, of

LONG, SHORT = 10_000, 1  # milliseconds


def listen(machine: Machine, types: int, *gpus: int) -> Any:
    """A set of events of some GPUs."""
    made = machine.nvml.nvmlEventSetCreate()
    for gpu in gpus:
        machine.nvml.nvmlDeviceRegisterEvents(machine.gpu(gpu), types, made)
    return made


def told(nvml: ModuleType, events: Any) -> list[tuple[int, int, int]]:
    """Index of the GPU, type and data of all that comes without waiting."""
    found: list[tuple[int, int, int]] = []
    while True:
        try:
            data = nvml.nvmlEventSetWait_v2(events, SHORT)
        except nvml.NVMLError_Timeout:
            return found
        found.append((nvml.nvmlDeviceGetIndex(data.device), data.eventType, data.eventData))


@of("h100-sxm-8")
def test_an_xid_is_told_to_who_listens_to_that_gpu(fleet: Machine) -> None:
    nvml = fleet.nvml
    kind = nvml.nvmlEventTypeXidCriticalError
    fleet.happens("xid", "gpu-1", "--code=31")  # before anybody listened
    events, others = listen(fleet, kind, 1, 2), listen(fleet, kind, 3)
    fleet.happens("xid", "gpu-2", "--code=48")
    fleet.happens("xid", "gpu-1", "--code=94")
    assert told(nvml, events) == [(2, kind, 48), (1, kind, 94)]
    assert told(nvml, events) == told(nvml, others) == []


@of("mixed")
def test_an_xid_names_the_partition_that_it_is_about(fleet: Machine) -> None:
    nvml = fleet.nvml
    events = listen(fleet, nvml.nvmlEventTypeXidCriticalError, 0)
    fleet.happens("xid", "gpu-0", "--code=94", "--instances", "3", "0")
    fleet.happens("xid", "gpu-0", "--code=95")
    about_part, about_all = (nvml.nvmlEventSetWait_v2(events, LONG) for _ in range(2))
    assert (about_part.gpuInstanceId, about_part.computeInstanceId) == (3, 0)
    assert about_all.gpuInstanceId == nvml.NVML_GPU_INSTANCE_ID_ANY
    assert about_all.computeInstanceId == nvml.NVML_COMPUTE_INSTANCE_ID_ANY


@of("h100-sxm-8")
def test_errors_in_memory_are_told_and_counted(fleet: Machine) -> None:
    nvml = fleet.nvml
    single, double = nvml.nvmlEventTypeSingleBitEccError, nvml.nvmlEventTypeDoubleBitEccError
    events = listen(fleet, single | double, 0)
    fleet.happens("ecc", "gpu-0", "--errors=5", "--corrected")
    fleet.happens("ecc", "gpu-0", "--errors=2")
    assert told(nvml, events) == [(0, single, 0), (0, double, 0)]
    gpu, volatile, ever = fleet.gpu(0), nvml.NVML_VOLATILE_ECC, nvml.NVML_AGGREGATE_ECC
    corrected, uncorrected = nvml.NVML_MEMORY_ERROR_TYPE_CORRECTED, nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED
    assert nvml.nvmlDeviceGetTotalEccErrors(gpu, corrected, volatile) == 5
    assert nvml.nvmlDeviceGetTotalEccErrors(gpu, uncorrected, volatile) == 2
    in_memory = nvml.NVML_MEMORY_LOCATION_DEVICE_MEMORY
    assert nvml.nvmlDeviceGetMemoryErrorCounter(gpu, uncorrected, volatile, in_memory) == 2
    assert nvml.nvmlDeviceGetDetailedEccErrors(gpu, uncorrected, volatile).deviceMemory == 2
    assert nvml.nvmlDeviceGetRemappedRows(gpu) == (0, 2, 1, 0)
    (value,) = nvml.nvmlDeviceGetFieldValues(gpu, [nvml.NVML_FI_DEV_ECC_DBE_VOL_TOTAL])
    assert value.value.ullVal == 2
    fleet.happens("recover")
    assert nvml.nvmlDeviceGetTotalEccErrors(gpu, uncorrected, volatile) == 0
    assert nvml.nvmlDeviceGetTotalEccErrors(gpu, uncorrected, ever) == 2


@of("h100-sxm-8")
def test_who_waits_is_woken(fleet: Machine) -> None:
    nvml = fleet.nvml
    events, heard = listen(fleet, nvml.nvmlEventTypeXidCriticalError, *range(8)), []
    waiting = threading.Thread(target=lambda: heard.append(nvml.nvmlEventSetWait_v2(events, LONG).eventData))
    waiting.start()
    fleet.happens("xid", "gpu-5", "--code=62")
    waiting.join(LONG / 1000)
    assert heard == [62]


@of("h100-sxm-8")
def test_waiting_ends_with_its_time(fleet: Machine) -> None:
    began = time.monotonic()
    assert fleet.error("nvmlEventSetWait_v2", listen(fleet, 8, 0), 50) == "Timeout"
    assert time.monotonic() - began >= 0.05


@of("h100-sxm-8")
def test_waiting_ends_when_the_library_is_shut_down(fleet: Machine) -> None:
    events, heard = listen(fleet, 8, 0), []
    waiting = threading.Thread(target=lambda: heard.append(fleet.error("nvmlEventSetWait_v2", events, LONG)))
    waiting.start()
    fleet.nvml.nvmlShutdown()
    waiting.join(LONG / 1000)
    assert heard == ["Uninitialized"]


@of("h100-sxm-8")
def test_a_gpu_that_is_lost_is_told_then_an_error(fleet: Machine) -> None:
    nvml = fleet.nvml
    gpu = fleet.gpu(4)
    events = listen(fleet, nvml.nvmlEventTypeXidCriticalError, 3, 4)
    fleet.happens("sicken", "gpu-4")
    assert nvml.nvmlEventSetWait_v2(events, LONG).eventData == 79
    assert fleet.error("nvmlEventSetWait_v2", events, LONG) == "GPU is lost"
    assert fleet.error("nvmlDeviceGetUUID", gpu) == "GPU is lost"
    assert fleet.error("nvmlDeviceGetHandleByIndex", 4) == "GPU is lost"
    assert nvml.nvmlDeviceGetCount() == 8
    fleet.happens("recover", "gpu-4")
    assert nvml.nvmlDeviceGetIndex(gpu) == 4


@of("h100-sxm-8")
def test_a_set_is_freed_and_gone(fleet: Machine) -> None:
    events = listen(fleet, 8, 0)
    fleet.nvml.nvmlEventSetFree(events)
    assert fleet.error("nvmlEventSetWait_v2", events, SHORT) == "Invalid Argument"
    for _ in range(200):  # far more than there is room for at once
        fleet.nvml.nvmlEventSetFree(fleet.nvml.nvmlEventSetCreate())


@of("l40s-4")
def test_only_what_a_gpu_can_tell_is_listened_to(fleet: Machine) -> None:
    nvml = fleet.nvml
    events = nvml.nvmlEventSetCreate()
    assert not nvml.nvmlDeviceGetSupportedEventTypes(fleet.gpu(0)) & nvml.nvmlEventMigConfigChange
    arguments = (fleet.gpu(0), nvml.nvmlEventMigConfigChange, events)
    assert fleet.error("nvmlDeviceRegisterEvents", *arguments) == "Not Supported"


@of("mixed")
def test_who_listens_is_told_that_partitions_have_changed(fleet: Machine) -> None:
    kind = fleet.nvml.nvmlEventMigConfigChange
    events = listen(fleet, kind, 0, 1)
    fleet.happens("mig", "gpu-1", "--instance=3g.40gb:4")
    assert told(fleet.nvml, events) == [(1, kind, 0)]


@of("l40s-4")
def test_a_gpu_that_is_ill_needs_a_reset(fleet: Machine) -> None:
    nvml = fleet.nvml
    wanted = [nvml.NVML_FI_DEV_GET_GPU_RECOVERY_ACTION]
    actions = []
    for event in (["xid", "gpu-0", "--code=31"], ["xid", "gpu-0", "--code=119"], ["recover", "gpu-0"]):
        fleet.happens(*event)
        actions.append(nvml.nvmlDeviceGetFieldValues(fleet.gpu(0), wanted)[0].value.uiVal)
    assert actions == [0, nvml.NVML_GPU_RECOVERY_ACTION_GPU_RESET, 0]


@of("l40s-4")
@pytest.mark.parametrize(("reason", "bit"), [("hw-thermal-slowdown", 0x40), ("sw-power-cap", 0x4)])
def test_slow_clocks_have_a_reason(fleet: Machine, reason: str, bit: int) -> None:
    nvml, gpu = fleet.nvml, fleet.gpu(0)
    assert nvml.nvmlDeviceGetCurrentClocksEventReasons(gpu) == nvml.nvmlClocksEventReasonGpuIdle
    fleet.happens("throttle", "gpu-0", f"--reason={reason}")
    assert nvml.nvmlDeviceGetCurrentClocksEventReasons(gpu) == bit
    assert nvml.nvmlDeviceGetCurrentClocksThrottleReasons(gpu) == bit
    assert nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_SM) == 1260
    hot = bit == nvml.nvmlClocksEventReasonHwThermalSlowdown
    limit = nvml.nvmlDeviceGetTemperatureThreshold(gpu, nvml.NVML_TEMPERATURE_THRESHOLD_SLOWDOWN)
    assert (nvml.nvmlDeviceGetTemperature(gpu, nvml.NVML_TEMPERATURE_GPU) > limit) is hot
    assert (nvml.nvmlDeviceGetTemperatureV(gpu, nvml.NVML_TEMPERATURE_GPU) > limit) is hot
