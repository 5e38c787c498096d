"""Changes what may be asked for of a shared device as soon as somebody has a share of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from reference_driver import gpu, plugin

FAULT = "S96"
CAUGHT_BY = ("shares.capacity",)
BREAKS = ("RS-27",)
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    used: ClassVar[set[str]] = set()
    publish: Callable[[], None]

    def pools(self) -> Mapping[str, plugin.Pool]:
        pools = dict(super().pools())
        name = f"{self.node}-shared"
        return pools | {name: plugin.Pool([self.changed(device) for device in pools[name].devices])}

    def changed(self, device: plugin.Device) -> plugin.Device:
        policy = {"default": "2Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}
        capacity = {"memory": {"value": "8Gi", "requestPolicy": policy}}
        return replace(device, extra={**device.extra, "capacity": capacity}) if device.name in self.used else device

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
