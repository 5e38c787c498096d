"""GPUs that fall ill and recover, as the driver learns from NVML's events, its counters and its errors."""

import pytest

from reference_driver.gpu.nvml import monitor
from reference_driver.plugin import AllocatedDevice

from .conftest import LONG, Machine, of


@of("h100-sxm-8")
def test_a_gpu_that_falls_off_the_bus_stays_listed_until_it_is_back(machine: Machine) -> None:
    driver = machine.follow()
    before = driver.driver.pools()
    machine.happens("sicken", "gpu-4")
    driver.wait(lambda: driver.sick == {"gpu-4": "fell off the bus"})
    assert driver.driver.pools() == before
    assert driver.driver.ailment(AllocatedDevice("r", "node-a", "gpu-4")) == "fell off the bus"
    machine.happens("recover", "gpu-4")
    driver.wait(lambda: driver.sick == {})
    assert driver.driver.pools() == before


@of("a100-pcie-4")
def test_the_neighbour_of_a_lost_gpu_keeps_its_domain(machine: Machine) -> None:
    driver = machine.follow()
    before = driver.driver.pools()
    machine.happens("sicken", "gpu-0")
    driver.wait(lambda: list(driver.sick) == ["gpu-0"])
    assert driver.driver.pools() == before


@of("l40s-4")
def test_a_gpu_that_nvml_cannot_name_is_remembered(machine: Machine) -> None:
    first = machine.follow()
    before = first.driver.pools()
    first.end()
    machine.happens("sicken", "gpu-2")
    again = machine.follow()
    assert again.sick == {"gpu-2": "fell off the bus"}
    assert again.driver.pools() == before


@of("l40s-4")
def test_an_xid_is_remembered_until_nvml_asks_for_nothing(machine: Machine) -> None:
    driver = machine.follow(boot_id="this")
    machine.happens("xid", "gpu-3", "--code=119")
    driver.wait(lambda: driver.sick == {"gpu-3": "XID 119; it needs a reset"})
    driver.end()
    again = machine.follow(boot_id="this")
    assert again.sick == {"gpu-3": "XID 119; it needs a reset"}
    machine.happens("recover")
    again.wait(lambda: again.sick == {})


@of("l40s-4")
def test_an_older_driver_that_asks_for_nothing_leaves_an_xid_until_the_next_boot(machine: Machine) -> None:
    machine.happens("fail", "--function=nvmlDeviceGetFieldValues", "--error=function-not-found")
    driver = machine.follow(boot_id="this")
    machine.happens("xid", "gpu-3", "--code=119")
    driver.wait(lambda: driver.sick == {"gpu-3": "XID 119"})
    machine.happens("recover", "gpu-3")
    machine.happens("ecc", "gpu-0")
    driver.wait(lambda: "gpu-0" in driver.sick)
    assert driver.sick["gpu-3"] == "XID 119"
    driver.end()
    assert "gpu-3" in machine.follow(boot_id="this").sick
    assert "gpu-3" not in machine.follow(boot_id="next").sick


@of("l40s-4")
def test_xids_of_programs_and_those_that_are_ignored_ail_nothing(machine: Machine) -> None:
    driver = machine.follow(ignored_xids=frozenset({94}))
    for code in (13, 31, 94, 95):
        machine.happens("xid", "gpu-1", f"--code={code}")
    driver.wait(lambda: driver.sick == {"gpu-1": "XID 95; it needs a reset"})


@of("mixed")
def test_an_xid_of_a_partition_ails_that_alone_for_a_while(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = machine.follow()
    machine.happens("xid", "gpu-0", "--code=94", "--instances", "2", "0")
    driver.wait(lambda: driver.sick == {"gpu-0-mig-3g40gb-4": "XID 94"})
    monkeypatch.setattr("reference_driver.gpu.nvml.ailments.HOLD", 0)
    driver.wait(lambda: driver.sick == {})


@of("a100-pcie-4")
def test_errors_in_memory_ail_a_gpu_and_its_partitions(machine: Machine) -> None:
    machine.happens("mig", "gpu-0", "--instance=3g.40gb:0", "--instance=3g.40gb:4")
    driver = machine.follow()
    machine.happens("ecc", "gpu-0", "--corrected")
    machine.happens("ecc", "gpu-0", "--errors=2")
    ailment = "XID 48; 2 uncorrected ECC errors; it needs a reset"
    driver.wait(lambda: driver.sick == {"gpu-0-mig-3g40gb-0": ailment, "gpu-0-mig-3g40gb-4": ailment})
    machine.happens("recover", "gpu-0")
    driver.wait(lambda: driver.sick == {})


@of("l40s-4")
def test_nvml_that_fails_ails_all_and_loses_none(machine: Machine) -> None:
    first = machine.follow()
    before = first.driver.pools()
    first.end()
    machine.happens("fail", "--function=nvmlInit", "--error=lib-rm-version-mismatch")
    driver = machine.follow()
    assert set(driver.sick) == set(driver.devices)
    assert "NVML/RM version mismatch" in driver.sick["gpu-0"]
    assert driver.driver.pools() == before
    machine.happens("recover")
    driver.wait(lambda: driver.sick == {})


@of("l40s-4")
def test_a_library_that_was_replaced_needs_a_new_process(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor, "OUTDATED", 0.1)
    driver = machine.follow()
    machine.happens("fail", "--function=nvmlInit", "--error=lib-rm-version-mismatch")
    machine.happens("sicken", "gpu-0")  # a reason to begin anew
    assert driver.outdated.wait(LONG)
    assert len(driver.sick) == 4


@of("l40s-4")
def test_a_driver_that_is_loaded_later_is_waited_for(machine: Machine) -> None:
    machine.happens("fail", "--function=nvmlInit", "--error=driver-not-loaded")
    driver = machine.follow()
    assert driver.devices == []
    machine.happens("recover")
    driver.wait(lambda: len(driver.devices) == 4)


@of("l40s-4")
@pytest.mark.parametrize("error", ["timeout", "reset-required", "unknown"])
def test_a_gpu_that_cannot_be_looked_at_is_ill(machine: Machine, error: str) -> None:
    driver = machine.follow()
    machine.happens("fail", "gpu-1", f"--error={error}")
    driver.wait(lambda: list(driver.sick) == ["gpu-1"])
    machine.happens("recover", "gpu-1")
    driver.wait(lambda: driver.sick == {})


@of("l40s-4")
def test_a_gpu_that_is_lost_in_part_is_lost(machine: Machine) -> None:
    driver = machine.follow()
    machine.happens("fail", "gpu-1", "--function=nvmlDeviceGetTotalEccErrors", "--error=gpu-is-lost")
    driver.wait(lambda: driver.sick == {"gpu-1": "fell off the bus"})
    machine.happens("recover", "gpu-1")
    driver.wait(lambda: driver.sick == {})


@of("l40s-4")
def test_nobody_vouches_for_gpus_while_nvml_hangs(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor, "STALE", 0.5)
    driver = machine.follow()
    machine.happens("fail", "gpu-1", "--function=nvmlDeviceGetTotalEccErrors", "--error=hang")
    driver.wait(lambda: len(driver.sick) == 4)
    assert driver.sick["gpu-0"].startswith("NVML has not answered for")
    machine.happens("recover")
    driver.wait(lambda: driver.sick == {})


@of("l40s-4")
def test_what_was_remembered_may_be_damaged(machine: Machine) -> None:
    (machine.folder / "nvml.json").write_text('{"gpus": [{}]}')
    assert len(machine.follow().devices) == 4
