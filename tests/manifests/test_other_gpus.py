"""Partitions and shares of other GPUs than those of the example driver are such that an API server takes them."""

import pytest

from conformance.cluster.embedded.apiserver import Store
from fakegpu import FLEETS, fleet_file, load_inventory
from reference_driver.gpu import GpuDriver
from reference_driver.gpu.features import Features
from reference_driver.plugin import PluginError, SliceBuilder

DRIVER = "gpu.example.com"


@pytest.mark.parametrize("features", [Features(partitions=3), Features(shares=9), Features(partitions=3, shares=2)])
@pytest.mark.parametrize("fleet", FLEETS)
def test_every_fleet(fleet: str, features: Features) -> None:
    driver, store = GpuDriver(DRIVER, "node-a", load_inventory(fleet_file(fleet), "node-a")), Store()
    driver.switch(features)
    for number, spec in enumerate(SliceBuilder(DRIVER, "node-a").build("node-a", driver.pools()["node-a"])):
        pool = {**spec["pool"], "generation": 1}
        store.create("resourceslices", {"metadata": {"name": f"slice-{number}"}, "spec": {**spec, "pool": pool}})


def test_less_than_a_hundredth_of_a_gpu_is_nothing() -> None:
    driver = GpuDriver(DRIVER, "node-a", load_inventory(fleet_file("gb200-nvl-4"), "node-a"))
    driver.switch(Features(partitions=2, shares=60))
    with pytest.raises(PluginError, match="50 hundredths of a GPU's computing power cannot be cut into 60 parts"):
        driver.pools()
