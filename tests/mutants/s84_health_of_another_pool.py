"""Names the driver in its health reports where the pool belongs."""

from collections.abc import Sequence
from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "S84"
BREAKS = ("HLT-05",)
CAUGHT_BY = ("health.refreshed",)


class Monitor(plugin.HealthMonitor):
    def report(self) -> Sequence[plugin.DeviceHealth]:
        return [replace(device, pool=self.driver.name) for device in super().report()]


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
