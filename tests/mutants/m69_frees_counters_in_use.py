"""Publishes a device without its counters as long as it is prepared."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from reference_driver import gpu, plugin

FAULT = "M69"
CAUGHT_BY = ("partitions.exclude_each_other",)
BREAKS = ("RS-35",)
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    used: ClassVar[set[str]] = set()
    publish: Callable[[], None]

    def pools(self) -> Mapping[str, plugin.Pool]:
        return {
            name: plugin.Pool(list(map(self.freed, p.devices)), p.shared_counters)
            for name, p in super().pools().items()
        }

    def freed(self, device: plugin.Device) -> plugin.Device:
        extra = {key: value for key, value in device.extra.items() if key != "consumesCounters"}
        return replace(device, extra=extra) if device.name in self.used else device

    def apply(self, record: plugin.ClaimRecord) -> None:
        self.used.update(device.device for device in record.devices)
        self.publish()

    def undo(self, record: plugin.ClaimRecord) -> None:
        self.used.difference_update(device.device for device in record.devices)
        self.publish()


class Plugin(plugin.Plugin):
    def __init__(self, driver: plugin.Driver, options: plugin.Options, parts: plugin.Parts | None) -> None:
        super().__init__(driver, options, parts)
        assert isinstance(driver, Driver)
        driver.publish = self.publish


def main() -> int:
    return gpu.main(driver=Driver, plugin=Plugin)


if __name__ == "__main__":
    raise SystemExit(main())
