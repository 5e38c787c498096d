"""The other fleet of the reference driver: it publishes without contradictions, and installs as the plain one does."""

from typing import Any

from conformance.cluster.kind.manifests import objects_of
from conformance.target import Target
from fakegpu import default_inventory
from reference_driver.gpu import ExtrasDriver
from reference_driver.plugin import SliceBuilder


def driver(count: int = 10) -> ExtrasDriver:
    return ExtrasDriver("gpu.example.com", "node-a", default_inventory("node-a", count))


def test_counters_are_in_a_slice_of_their_own() -> None:
    pool = driver().pools()["node-a-partitions"]
    counters, devices = SliceBuilder("gpu.example.com", "node-a").build("node-a-partitions", pool)
    assert [entry["name"] for entry in counters["sharedCounters"]] == ["gpu-4-counters", "gpu-5-counters"]
    assert "devices" not in counters
    assert "sharedCounters" not in devices
    assert [device["name"] for device in devices["devices"]][:3] == ["gpu-4", "gpu-4-partition-0", "gpu-4-partition-1"]


def test_every_device_has_the_same_attributes_and_a_number_of_its_own() -> None:
    devices = [device for pool in driver().pools().values() for device in pool.devices]
    assert {frozenset(device.attributes) for device in devices} == {frozenset({"type", "index", "uuid", "parent"})}
    assert len({device.attributes["index"] for device in devices}) == len(devices)


def test_a_gpu_that_is_gone_leaves_the_others_what_they_are() -> None:
    smaller = driver()
    smaller.gpus = [gpu for gpu in smaller.gpus if gpu.index != 2]
    assert [device.name for device in smaller.pools()["node-a"].devices] == ["gpu-0", "gpu-1", "gpu-3"]
    assert smaller.pools()["node-a-shared"] == driver().pools()["node-a-shared"]


def test_it_is_installed_like_the_plain_one_but_for_its_fleet_and_its_rights() -> None:
    plain, extras = (installed(name) for name in ("reference", "reference-extras"))
    name = ("DaemonSet", "gpu-driver")
    (container,) = extras[name]["spec"]["template"]["spec"]["containers"]
    container["args"].remove("--fleet=extras")
    more = {("ClusterRole", "gpu-driver-claims"), ("ClusterRoleBinding", "gpu-driver-claims")}
    del plain["DeviceClass", "gpu.example.com"]  # which the suite makes, with the others of the driver file
    assert {key: obj for key, obj in extras.items() if key not in more} == plain


def installed(driver_file: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(obj["kind"], obj["metadata"]["name"]): obj for obj in objects_of(Target.load(driver_file))}
