"""Takes devices out of its slices for as long as a claim has them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reference_driver import gpu, plugin

FAULT = "M17"
BREAKS = ("RS-14", "PREP-33")  # it does not list the device again either when that has recovered
CAUGHT_BY = ("taints.sick_device",)
ALSO = {
    "preparation.each_node": "it looks for the devices of the answer in the slices",
    "health.refreshed": "devices that claims have are reported, and no slice has them",
}


class Driver(gpu.GpuDriver):
    held: frozenset[tuple[str, str]] = frozenset()

    def pools(self) -> Mapping[str, plugin.Pool]:
        return {
            name: replace(pool, devices=[device for device in pool.devices if (name, device.name) not in self.held])
            for name, pool in super().pools().items()
        }


class Plugin(plugin.Plugin):
    driver: Driver

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.handler.on_prepared = self.handler.on_unprepared = self.changed

    def changed(self, _: object) -> None:
        records = self.handler.checkpoint.records()
        self.driver.held = frozenset(device.key for record in records for device in record.devices)
        self.publish()


def main() -> int:
    return gpu.main(driver=Driver, plugin=Plugin)


if __name__ == "__main__":
    raise SystemExit(main())
