"""Reports the health that its devices had at its start."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S87"
BREAKS = ("HLT-02",)
CAUGHT_BY = ("health.sick_device",)


class Monitor(plugin.HealthMonitor):
    def __init__(self, driver: plugin.Driver) -> None:
        super().__init__(driver)
        self.first = {(device.pool, device.device): device for device in super().report()}

    def report(self) -> Sequence[plugin.DeviceHealth]:
        return [self.first.get((device.pool, device.device), device) for device in super().report()]


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
