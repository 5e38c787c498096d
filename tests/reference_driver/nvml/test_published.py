"""What is published of GPUs, held against the inventory that they were made from."""

from itertools import combinations
from typing import Any

from fakegpu import fleet_file, load_node
from reference_driver.gpu.nvml.devices import pool
from reference_driver.gpu.nvml.facts import GpuFacts, MigFacts
from reference_driver.plugin import Device, Pool, SliceBuilder

from .conftest import Machine, of

STANDARD = "resource.kubernetes.io"


def published(machine: Machine) -> Pool:
    """The pool, of which the API would take slices."""
    made = pool(machine.gpus())
    assert SliceBuilder("gpu.example.com", "node-a").build("node-a", made)
    return made


def named(made: Pool) -> dict[str, Device]:
    return {device.name: device for device in made.devices}


def alike(devices: dict[str, Device], attribute: str) -> list[tuple[str, str]]:
    """Pairs of devices that matchAttribute would let a claim have together."""
    return [
        (one, other)
        for one, other in combinations(devices, 2)
        if devices[one].attributes[attribute] == devices[other].attributes[attribute]
    ]


@of("h100-sxm-8")
def test_gpus_are_published_with_what_is_known_of_them(machine: Machine) -> None:
    found = named(published(machine))
    gpus = load_node(fleet_file("h100-sxm-8"), "node").gpus
    assert list(found) == [gpu.name for gpu in gpus]
    for gpu in gpus:
        told = found[gpu.name].attributes
        assert (told["index"], told["uuid"], told["model"]) == (gpu.index, gpu.uuid, gpu.model)
        assert told[f"{STANDARD}/pciBusID"] == gpu.pci_bus_id
        assert told[f"{STANDARD}/pcieRoot"] == gpu.pcie_root
        assert told[f"{STANDARD}/numaNode"] == gpu.numa_node
    first = found["gpu-0"].to_api()
    assert first["attributes"]["driverVersion"] == {"version": "580.95.5"}
    assert first["attributes"]["cudaDriverVersion"] == {"version": "13.0.0"}
    assert first["attributes"]["cudaComputeCapability"] == {"version": "9.0.0"}
    assert (first["attributes"]["type"], first["attributes"]["profile"]) == ({"string": "gpu"}, {"string": ""})
    assert first["attributes"]["architecture"] == {"string": "Hopper"}
    assert first["capacity"] == {"memory": {"value": "81559Mi"}}
    assert len(alike(found, "nvlinkDomain")) == 28


@of("a100-pcie-4")
def test_topology_tells_which_gpus_belong_together(machine: Machine) -> None:
    found = named(published(machine))
    for attribute in ("nvlinkDomain", f"{STANDARD}/pcieRoot", f"{STANDARD}/numaNode"):
        assert alike(found, attribute) == [("gpu-0", "gpu-1"), ("gpu-2", "gpu-3")], attribute


@of("l40s-4")
def test_gpus_without_nvlink_are_each_by_themselves(machine: Machine) -> None:
    assert alike(named(published(machine)), "nvlinkDomain") == []


@of("gb200-nvl-4")
def test_a_domain_beyond_the_node_has_its_name(machine: Machine) -> None:
    for device in published(machine).devices:
        assert device.attributes["nvlinkDomain"] == "8f4d2c1e-6b7a-4e3f-9d52-0c1b2a394857.32766"
        assert device.attributes["addressingMode"] == "ATS"


@of("mixed")
def test_partitions_take_the_place_of_their_gpu(machine: Machine) -> None:
    found = named(published(machine))
    migs = ["gpu-0-mig-3g40gb-4", "gpu-0-mig-2g20gb-0", "gpu-0-mig-1g10gb-2", "gpu-0-mig-1g10gb-me-3"]
    assert list(found) == [*migs, "gpu-2", "gpu-3"]
    largest = found["gpu-0-mig-3g40gb-4"]
    told = largest.attributes
    assert (told["type"], told["profile"], told["index"]) == ("mig", "3g.40gb", 0)
    assert str(told["uuid"]).startswith("MIG-")
    assert alike({name: found[name] for name in migs}, "uuid") == []
    assert len(alike({name: found[name] for name in migs}, "parentUUID")) == 6
    assert (largest.capacity["memory"], largest.capacity["multiprocessors"]) == ("40448Mi", "46")
    assert {tuple(device.attributes) for device in found.values()} == {tuple(told)}, "all have the same attributes"


@of("mixed")
def test_partitions_use_what_their_gpu_has(machine: Machine) -> None:
    made = published(machine)
    assert used(made) == {
        "gpu-0-counters": {"memory": "80512Mi", **{f"memory-slice-{number}": "1" for number in range(8)}}
    }
    (counters,) = made.shared_counters
    assert (counters["name"], counters["counters"]["memory"]) == ("gpu-0-counters", {"value": "81559Mi"})


@of("mixed")
def test_partitions_of_one_instance_share_its_memory(machine: Machine) -> None:
    nvml = machine.library()
    with nvml.in_use():
        gpu = nvml.nvml.nvmlDeviceGetHandleByIndex(1)
        instance = nvml.nvml.nvmlDeviceCreateGpuInstance(gpu, 9)
        two_slices, one_slice = 1, 0
        for profile in (two_slices, one_slice):
            nvml.nvml.nvmlGpuInstanceCreateComputeInstance(instance, profile)
    made = published(machine)
    assert list(named(made))[4:6] == ["gpu-1-mig-2c3g40gb-0-0", "gpu-1-mig-1c3g40gb-0-2"]
    assert named(made)["gpu-1-mig-1c3g40gb-0-2"].capacity["memory"] == "40192Mi"
    counters = next(row["counters"] for row in made.shared_counters if row["name"] == "gpu-1-counters")
    assert counters["memory-slice-0"] == {"value": "2"}
    assert used(made)["gpu-1-counters"]["memory"] == "40192Mi"


def test_sixteen_gpus_in_seven_partitions_keep_the_limits_of_slices() -> None:
    migs = tuple(MigFacts(f"MIG-{start}", "1g.10gb", 7 + start, 0, start, 1, 9984 << 20) for start in range(7))
    gpus = [
        GpuFacts(f"0000:{index:02x}:00.0", index, f"GPU-{index}", "H100", memory=80 << 30, mig_mode=True, migs=migs)
        for index in range(16)
    ]
    slices = SliceBuilder("gpu.example.com", "node-a").build("node-a", pool(gpus))
    sizes = [len(item.get("sharedCounters") or item["devices"]) for item in slices]
    assert sizes == [8, 8, 64, 48]
    largest = max(len(device["attributes"]) + len(device["capacity"]) for device in slices[2]["devices"])
    assert largest <= 32


@of("odd")
def test_odd_gpus_can_be_published(machine: Machine) -> None:
    found = named(published(machine))
    assert list(found) == [f"gpu-{index}" for index in range(16)]
    assert found["gpu-0"].attributes["model"] == ""
    assert found["gpu-1"].attributes["model"] == "", "its name is longer than NVML has room for"
    assert alike(found, "uuid") == alike(found, "nvlinkDomain") == [("gpu-2", "gpu-3")]
    assert f"{STANDARD}/numaNode" not in found["gpu-0"].attributes
    assert found["gpu-0"].attributes["driverVersion"] == "580.95.5"


@of("empty")
def test_a_node_without_gpus_has_an_empty_pool(machine: Machine) -> None:
    assert published(machine).devices == []


@of("mixed")
def test_partitions_that_are_made_anew_are_seen(machine: Machine) -> None:
    driver = machine.follow()
    machine.happens("mig", "gpu-0", "--off")
    machine.happens("mig", "gpu-1", "--instance=4g.40gb:0")
    driver.wait(lambda: driver.devices == ["gpu-0", "gpu-1-mig-4g40gb-0", "gpu-2", "gpu-3"])


@of("l40s-4")
def test_gpus_come_and_go(machine: Machine) -> None:
    driver = machine.follow()
    machine.happens("remove", "gpu-1")
    driver.wait(lambda: driver.devices == ["gpu-0", "gpu-2", "gpu-3"])
    machine.happens("add", "gpu-1")
    driver.wait(lambda: driver.devices == ["gpu-0", "gpu-1", "gpu-2", "gpu-3"])
    assert driver.sick == {}


def used(made: Pool) -> dict[str, dict[str, Any]]:
    """What all devices use together, by counter set and counter."""
    total: dict[str, dict[str, Any]] = {}
    for device in made.devices:
        for use in device.extra.get("consumesCounters", ()):
            counters = total.setdefault(use["counterSet"], {})
            for name, counter in use["counters"].items():
                unit = "Mi" if name == "memory" else ""
                amount = int(counters.get(name, "0").removesuffix(unit)) + int(counter["value"].removesuffix(unit))
                counters[name] = f"{amount}{unit}"
    return total
