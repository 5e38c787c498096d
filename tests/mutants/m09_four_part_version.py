"""Publishes a driver version of four parts as a version attribute, which the API server refuses."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "M09"
CAUGHT_BY = ("publishing.pool_complete",)
BREAKS = ("RS-01",)


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        device = super().device(gpu)
        return plugin.Device(device.name, {**device.attributes, "driverVersion": plugin.Version("535.104.5.1")})


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
