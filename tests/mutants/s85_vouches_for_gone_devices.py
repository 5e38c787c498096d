"""Reports devices healthy that have vanished."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S85"
BREAKS = ("HLT-06",)
CAUGHT_BY = ("health.gone_device",)


class Monitor(plugin.HealthMonitor):
    def __init__(self, driver: plugin.Driver) -> None:
        super().__init__(driver)
        self.seen: dict[tuple[str, str], plugin.DeviceHealth] = {}

    def report(self) -> Sequence[plugin.DeviceHealth]:
        self.seen.update({(device.pool, device.device): device for device in super().report()})
        return list(self.seen.values())


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
