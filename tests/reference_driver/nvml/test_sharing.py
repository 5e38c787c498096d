"""Compute modes: set for a claim where that was allowed, and set back."""

from typing import Any

import pytest

from reference_driver.gpu.nvml import sharing
from reference_driver.plugin import AllocatedDevice, Claim, ClaimError, ClaimRef, Config

from .conftest import Follower, Machine, of

DEFAULT, PROHIBITED, EXCLUSIVE_PROCESS = 0, 2, 3  # as NVML numbers them
DIVIDED = {"strategy": "SpacePartitioning", "spacePartitioningConfig": {"partitionCount": 2}}


def claim(device: str, sharing: dict[str, Any], admin: bool = False) -> Claim:
    parameters = {"apiVersion": "gpu.resource.example.com/v1alpha1", "kind": "GpuConfig", "sharing": sharing}
    allocated = AllocatedDevice("gpus", "node-a", device, admin_access=admin)
    return Claim(ClaimRef("default", "gpus", "uid"), (allocated,), (Config("FromClaim", (), parameters),))


def mode(machine: Machine, index: int, wanted: int | None = None) -> int:
    """The compute mode of a GPU, after it was set by somebody else if one is wanted."""
    nvml = machine.library()
    with nvml.in_use():
        gpu = nvml.nvml.nvmlDeviceGetHandleByIndex(index)
        if wanted is not None:
            nvml.nvml.nvmlDeviceSetComputeMode(gpu, wanted)
        return int(nvml.nvml.nvmlDeviceGetComputeMode(gpu))


def data(driver: Follower, *asked: Any, **named: Any) -> dict[str, Any]:
    return driver.driver.prepare(claim(*asked, **named)).data


@of("l40s-4")
def test_a_gpu_that_is_divided_belongs_to_one_process(machine: Machine) -> None:
    driver, nvml = machine.follow(set_compute_mode=True), machine.library()
    plan = data(driver, "gpu-1", DIVIDED)
    assert mode(machine, 1) == DEFAULT, "preparing changes nothing"
    for _ in range(2):
        sharing.apply(nvml, plan)
    assert [mode(machine, index) for index in range(4)] == [DEFAULT, EXCLUSIVE_PROCESS, DEFAULT, DEFAULT]
    for _ in range(2):
        sharing.undo(nvml, plan)
        assert mode(machine, 1) == DEFAULT


@of("l40s-4")
def test_what_was_set_before_is_set_back(machine: Machine) -> None:
    driver, nvml = machine.follow(set_compute_mode=True), machine.library()
    mode(machine, 0, PROHIBITED)
    plan = data(driver, "gpu-0", {"strategy": "TimeSlicing"})
    sharing.apply(nvml, plan)
    assert mode(machine, 0) == DEFAULT
    sharing.undo(nvml, plan)
    assert mode(machine, 0) == PROHIBITED


@of("mixed")
def test_nothing_is_set_unless_allowed_nor_for_partitions_nor_for_onlookers(machine: Machine) -> None:
    assert data(machine.follow(), "gpu-2", DIVIDED) == {}
    driver = machine.follow(set_compute_mode=True)
    assert data(driver, "gpu-0-mig-2g20gb-0", DIVIDED) == data(driver, "gpu-2", DIVIDED, admin=True) == {}


@of("l40s-4")
def test_a_gpu_that_is_gone_has_nothing_to_be_set_back(machine: Machine) -> None:
    driver, nvml = machine.follow(set_compute_mode=True), machine.library()
    plan = data(driver, "gpu-1", DIVIDED)
    sharing.apply(nvml, plan)
    machine.happens("remove", "gpu-1")
    sharing.undo(nvml, plan)
    machine.happens("add", "gpu-1")
    machine.happens("fail", "--function=nvmlInit", "--error=driver-not-loaded")
    sharing.undo(nvml, plan)


@of("l40s-4")
def test_who_may_not_set_it_is_told(machine: Machine) -> None:
    driver, nvml = machine.follow(set_compute_mode=True), machine.library()
    plan = data(driver, "gpu-1", DIVIDED)
    machine.happens("fail", "--function=nvmlDeviceSetComputeMode", "--error=no-permission")
    with pytest.raises(ClaimError, match="cannot be set: NVML: Insufficient Permissions"):
        sharing.apply(nvml, plan)
